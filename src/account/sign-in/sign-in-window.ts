import { AppError } from '#protocol/errors.ts'
import type { SignInWindow } from '../ports.ts'

const FEATURES = 'popup,width=480,height=640'
const CLOSED_POLL_MS = 250

/**
 * Opens the window of a provider's sign-in with a text in it until the provider's page is loaded. Call it during a
 * click: browsers block a window that is opened more than a second later. A slow phone takes 100 ms to open it, so the
 * page first renders its response to the click. Resolves with null if the browser still blocks the window.
 */
export function openSignInWindow(text: string): Promise<SignInWindow<Window> | null> {
  // Safari allows a window in a timer's callback, but not in a promise that follows it.
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      try {
        resolve(openWindow(text))
      } catch (thrown) {
        reject(thrown)
      }
    })
  })
}

function openWindow(text: string): SignInWindow<Window> | null {
  const opened = window.open('', '', FEATURES)
  if (!opened) return null
  showText(opened.document, text)
  return {
    window: opened,
    whileOpen: (work) => whileOpen(opened, work),
    close: () => opened.close(),
  }
}

/** Writes into the window's empty document. After another document, browsers would drop the `opener` of the provider's page. */
function showText(page: Document, text: string): void {
  page.title = text
  page.documentElement.lang = document.documentElement.lang
  page.documentElement.style.colorScheme = 'light dark'
  page.body.textContent = text
  Object.assign(page.body.style, { display: 'grid', placeItems: 'center', minHeight: '90vh', font: '1rem system-ui' })
}

/** Polls, since no event reports that a window was closed. */
function whileOpen<T>(opened: Window, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const poll = setInterval(() => {
      if (opened.closed) reject(new AppError('sign-in-cancelled'))
    }, CLOSED_POLL_MS)
    work.then(resolve, reject).finally(() => clearInterval(poll))
  })
}
