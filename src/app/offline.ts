import { effect, type ReadonlySignal } from '@preact/signals-react'
import { APPLY_UPDATE, CONFIG_CHANGED, REFRESH_PAGE } from '#workers/offline/contract.ts'
import type { PictureChoiceStore } from '../platform/state/picture-choice.ts'

/** Web Lock: each tab in a call holds it shared; an update of all tabs needs it exclusively. */
const CALL_LOCK = 'call'
/** Paths of screens that may be reloaded without disturbing the user. */
const RELOADABLE = new Set(['/', '/login', '/dashboard'])

function isCall(path: string): boolean {
  return path.startsWith('/buzzing') || path.startsWith('/chat')
}

/**
 * Registers the service worker for offline use and applies a new version when no tab is in a call and this page can be
 * reloaded. Refreshes the stored landing page, with which this page may have begun, and reloads if the configuration
 * has changed. With the data saver no service worker is installed, because it would load every file; an installed
 * service worker stays. Rejects if the browser stores nothing for this site.
 */
export async function keepOffline(
  path: ReadonlySignal<string>,
  { isSaver, restore }: Pick<PictureChoiceStore, 'isSaver' | 'restore'>,
): Promise<void> {
  const { serviceWorker, locks } = navigator
  const isReplacement = serviceWorker.controller !== null
  let endCall: (() => void) | null = null

  function holdCall(): void {
    void locks.request(CALL_LOCK, { mode: 'shared' }, () => new Promise<void>((resolve) => (endCall = resolve)))
  }

  serviceWorker.addEventListener('controllerchange', () => {
    // The files of the previous version are deleted, so this page could not load its remaining chunks.
    if (isReplacement && !isCall(path.peek())) location.reload()
  })
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data === CONFIG_CHANGED && RELOADABLE.has(path.peek())) location.reload()
  })
  await restore()
  if (isSaver.peek() && !(await serviceWorker.getRegistration())) return
  const registration = await serviceWorker.register('/service-worker.js')

  async function apply(): Promise<void> {
    const { waiting } = registration
    if (!waiting || !RELOADABLE.has(path.peek())) return
    await locks.request(CALL_LOCK, { ifAvailable: true }, (lock) => {
      if (lock) waiting.postMessage(APPLY_UPDATE)
    })
  }

  document.addEventListener('visibilitychange', () => void apply())
  effect(() => {
    // The server's landing page depends on whether a user has signed in.
    if (RELOADABLE.has(path.value)) registration.active?.postMessage(REFRESH_PAGE)
  })
  effect(() => {
    if (isCall(path.value)) {
      if (!endCall) holdCall()
      return
    }
    endCall?.()
    endCall = null
    void apply()
  })
}
