import { effect, type ReadonlySignal } from '@preact/signals-react'
import { APPLY_UPDATE } from '#workers/offline/contract.ts'

/** Held by every tab with a call on; whoever wants to replace the code of all tabs must get it alone. */
const CALL_LOCK = 'call'
/** Screens that lose nothing when they are loaded anew. */
const RESTFUL = new Set(['/', '/login', '/dashboard'])

function isCall(path: string): boolean {
  return path.startsWith('/buzzing') || path.startsWith('/chat')
}

/**
 * Keeps the product at hand for a network that is away, and up to date: a new version is applied when no tab has a call on
 * and the page rests. Rejects where the browser keeps nothing for this site.
 */
export async function keepOffline(path: ReadonlySignal<string>): Promise<void> {
  const { serviceWorker, locks } = navigator
  const isReplacement = serviceWorker.controller !== null
  let endCall: (() => void) | null = null

  function holdCall(): void {
    void locks.request(CALL_LOCK, { mode: 'shared' }, () => new Promise<void>((resolve) => (endCall = resolve)))
  }

  serviceWorker.addEventListener('controllerchange', () => {
    // The files of the version before are gone: what this page has not loaded yet, it could not load any more.
    if (isReplacement && !isCall(path.peek())) location.reload()
  })
  const registration = await serviceWorker.register('/service-worker.js')

  async function apply(): Promise<void> {
    const { waiting } = registration
    if (!waiting || !RESTFUL.has(path.peek())) return
    await locks.request(CALL_LOCK, { ifAvailable: true }, (lock) => {
      if (lock) waiting.postMessage(APPLY_UPDATE)
    })
  }

  document.addEventListener('visibilitychange', () => void apply())
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
