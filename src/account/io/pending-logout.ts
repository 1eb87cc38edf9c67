import { isText } from '#protocol/checks.ts'
import { LOGOUT_COOKIE } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { readCookie, writeCookie } from '../../platform/io/page-cookies.ts'
import type { PendingLogout } from '../ports.ts'

/** Lifetime of the cookie, longer than that of any refresh token. */
const KEPT_SECONDS = (60 * DAY_MS) / 1000

/** Kept in a cookie, which survives a reload, is sent with the request that starts before the app, and can be read synchronously. */
export function createPendingLogout(): PendingLogout {
  const read = () => readCookie(LOGOUT_COOKIE)
  return {
    read,
    keep(sessionId) {
      writeCookie(LOGOUT_COOKIE, sessionId, KEPT_SECONDS)
      const otherTabs = new BroadcastChannel(LOGOUT_COOKIE)
      otherTabs.postMessage(sessionId)
      otherTabs.close()
    },
    settle(sessionId) {
      if (read() === sessionId) writeCookie(LOGOUT_COOKIE, '', 0)
    },
    alone: (signal: AbortSignal, task) => navigator.locks.request(LOGOUT_COOKIE, { signal }, task),
  }
}

/** Calls `listener`, for the lifetime of the page, with the ended login session of each logout in another tab. */
export function onLogoutElsewhere(listener: (sessionId: string) => void): void {
  new BroadcastChannel(LOGOUT_COOKIE).onmessage = ({ data }) => {
    if (isText(data)) listener(data)
  }
}
