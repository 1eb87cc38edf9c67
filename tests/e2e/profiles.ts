import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test'
import { translate } from '../support/browser/translate.ts'

/** A browser profile with one tab. `faults` are those of its pages since a test took it. */
export type Profile = {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
  readonly devtools: CDPSession
  readonly key: string
  readonly origin: string
  isChanged: boolean
}

/** `baseURL`: the origin of the product. */
type Options = BrowserContextOptions & { baseURL: string }

/** `isNewBrowser`: the profile has no cached files and no history. `isTranslated`: by the browser, from the first text on. */
type Needs = { isNewBrowser: boolean; withServiceWorker: boolean; isTranslated: boolean }

/** What a later test in the same profile would notice: once one of these is called, the profile is not used again. */
const lasting = {
  context: ['addInitScript', 'exposeBinding', 'newCDPSession', 'newPage', 'on', 'route', 'setOffline', 'close'],
  page: ['addInitScript', 'emulateMedia', 'exposeFunction', 'on', 'route', 'routeWebSocket', 'close'],
  clock: ['install'],
} as const

/**
 * Profiles that earlier tests have left: there, the product starts with a third of the processor time that it takes in a new one. They
 * are as new, except for cached files.
 */
export class Profiles {
  readonly #browser: Browser
  readonly #left: Profile[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  async take(options: Options, needs: Needs): Promise<Profile> {
    const { isNewBrowser, withServiceWorker, isTranslated } = needs
    const key = JSON.stringify({ ...options, isTranslated })
    const index = isNewBrowser || withServiceWorker ? -1 : this.#left.findIndex((profile) => profile.key === key)
    const [left] = index === -1 ? [] : this.#left.splice(index, 1)
    return left ?? (await this.#open(options, key, needs))
  }

  async #open(options: Options, key: string, { withServiceWorker, isTranslated }: Needs): Promise<Profile> {
    const context = await this.#browser.newContext(options)
    const page = await context.newPage()
    const faults = await watchFaults(page)
    await page.addInitScript(keepMessages)
    await page.addInitScript(drawNoBlur)
    await page.addInitScript(plainSound)
    if (!withServiceWorker) await page.addInitScript(neverInstall)
    if (isTranslated) await page.addInitScript(translate)
    const devtools = await context.newCDPSession(page)
    const profile = { context, page, faults, devtools, key, origin: options.baseURL, isChanged: withServiceWorker }
    const change = () => {
      profile.isChanged = true
    }
    for (const method of lasting.context) whenCalled(context, method, change)
    for (const method of lasting.page) whenCalled(page, method, change)
    for (const method of lasting.clock) whenCalled(page.clock, method, change)
    return profile
  }

  /** Ends what goes on in the profile, and empties it for another test unless that would notice this one. Resolves with the faults. */
  async give(profile: Profile): Promise<string[]> {
    const { context, page, faults, devtools, origin, isChanged } = profile
    if (isChanged || context.pages().length !== 1) await context.close()
    else {
      // A page of the same origin: another one would end the process, and with it what was compiled.
      await page.goto('/healthz')
      await page.evaluate(() => {
        sessionStorage.clear()
        window.name = ''
      })
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await devtools.send('Page.resetNavigationHistory')
      await context.clearCookies()
      this.#left.push(profile)
    }
    return faults.splice(0)
  }
}

function whenCalled(target: object, method: string, react: () => void): void {
  const original: unknown = Reflect.get(target, method)
  if (typeof original !== 'function') throw new Error(`${method} is not a method`)
  Reflect.set(target, method, (...args: unknown[]) => {
    react()
    return Reflect.apply(original, target, args)
  })
}

/** Opens the product as the first entry of the tab's history. */
export async function openFirst(page: Page): Promise<void> {
  if (page.url() === 'about:blank') await page.goto('/')
  else await page.evaluate(() => location.replace('/'))
}

type WithMessages = { messages?: string[] }

/** Keeps the screens and the messages of a page: a failed test does not show those that are gone. */
function keepMessages(): void {
  const messages: string[] = []
  Object.assign(globalThis, { messages })
  const note = () => {
    const regions = [...document.querySelectorAll('[role=status], [role=alert]')]
    const shown = [location.pathname, ...regions.map(({ textContent }) => textContent)].filter(Boolean).join(' | ')
    if (messages.at(-1) !== shown) messages.push(shown)
  }
  new MutationObserver(note).observe(document, { childList: true, characterData: true, subtree: true })
}

/** Resolves with the screens and messages since the page was loaded; with nothing for a closed page. */
export async function messagesOf({ page }: Profile): Promise<string> {
  if (page.isClosed()) return ''
  return (await page.evaluate(() => (globalThis as WithMessages).messages ?? [])).join('\n')
}

/** A stranger's picture is blurred for two seconds: without a graphics processor that takes as long as all the rest of a call. */
function drawNoBlur(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('video { filter: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** The fake microphone has no echo and no noise. Looking for them takes a twentieth of what a call takes. */
function plainSound(): void {
  // An empty page has none.
  if (!('mediaDevices' in navigator)) return
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  const off = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
  mediaDevices.getUserMedia = (wanted) =>
    open(wanted?.audio ? { ...wanted, audio: { ...Object(wanted.audio), ...off } } : wanted)
}

/** Leaves the service worker's installation unfinished. An empty page has none. */
export function neverInstall(): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => {})
}

/** Collects errors and violations of security headers of the page, its workers and popups. */
export async function watchFaults(page: Page, faults: string[] = []): Promise<string[]> {
  const context = page.context()
  context.on('weberror', (error) => faults.push(error.error().message))
  context.on('console', (message) => {
    if (/security.policy|trusted.?type|permissions.policy/i.test(message.text())) faults.push(message.text())
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`Security policy: ${effectiveDirective} refused ${blockedURI} ${sample}`)
    })
  })
  return faults
}
