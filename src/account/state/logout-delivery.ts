import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api, Storage } from '../../platform/ports.ts'
import { browserKeys } from '../../platform/rules/browser-keys.ts'
import { within } from '../../platform/rules/within.ts'
import type { PendingLogout } from '../ports.ts'

export type LogoutPorts = {
  api: Api
  log: Log
  clock: Pick<Clock, 'after'>
  pendingLogout: PendingLogout
  storage: Storage<Blob>
  /** Reads the cookie choice. Returns a function that stores it again. */
  keepCookieChoice: () => () => void
  loadSignIn: () => Promise<unknown>
}

export type LogoutDelivery = ReturnType<typeof createLogoutDelivery>

const RETRY_MS = 30_000
/**
 * Longest wait for reading a choice that is to be kept. It is long, since the response to the logout deletes every
 * choice that was not read, such as that to hide the network address.
 */
const KEPT_MS = 10_000

/** Sends a logout to the server, again after a failure. */
export function createLogoutDelivery({
  api,
  log,
  clock,
  pendingLogout,
  storage,
  keepCookieChoice,
  loadSignIn,
}: LogoutPorts) {
  let underWay: { request: Promise<void>; abort: () => void } | null = null

  /** Reads the choices that belong to the browser, not to the user. Resolves with a function that stores them again. */
  async function keepChoices(): Promise<() => Promise<void>> {
    const restoreCookieChoice = keepCookieChoice()
    const read = (key: string) => within(clock, KEPT_MS, storage.get(key), undefined)
    const kept = await Promise.all(browserKeys.map(async (key) => ({ key, value: await read(key) })))
    return async () => {
      restoreCookieChoice()
      for (const { key, value } of kept) if (value !== undefined) await storage.set(key, value)
    }
  }

  async function request(sessionId: string, signal: AbortSignal): Promise<void> {
    // Another tab has sent the logout meanwhile.
    if (pendingLogout.read() !== sessionId) return
    const restore = await keepChoices()
    await api.request('logout', { UserSessionId: sessionId }, signal)
    // The response to the logout makes the browser clear everything that pages have stored.
    await restore()
    pendingLogout.settle(sessionId)
  }

  async function send(sessionId: string, signal: AbortSignal): Promise<void> {
    try {
      // Loads the sign-in page first, since the response clears the caches of the service worker: Firefox then treats a
      // script that it is still reading from them as empty. A failed load is reported by the page itself.
      await loadSignIn().catch(() => {})
      await pendingLogout.alone(signal, () => request(sessionId, signal))
    } catch (thrown) {
      log.error('The server has not heard of the logout', thrown)
      clock.after(RETRY_MS, deliver)
    } finally {
      underWay = null
    }
  }

  function deliver(): void {
    begin(pendingLogout.read())
  }

  function begin(sessionId: string): void {
    if (sessionId === '' || underWay) return
    const controller = new AbortController()
    underWay = { request: send(sessionId, controller.signal), abort: () => controller.abort() }
  }

  return {
    isPending: (): boolean => pendingLogout.read() !== '',
    /** Called at a logout. */
    begin(sessionId: string): void {
      pendingLogout.keep(sessionId)
      begin(sessionId)
    },
    /** Sends a logout that an earlier page or another tab could not send. */
    deliver,
    /** Resolves when no request is under way. Never rejects. */
    settled: async (): Promise<void> => underWay?.request,
    /** Aborts a request whose response would clear the cookies of the next sign-in, which also ends the old session. */
    async interrupt(): Promise<void> {
      underWay?.abort()
      await underWay?.request
    },
  }
}
