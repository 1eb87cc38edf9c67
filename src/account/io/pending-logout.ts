import { isText } from '#protocol/checks.ts'
import { LOGOUT_COOKIE } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { readCookie, writeCookie } from '../../platform/io/page-cookies.ts'
import type { PendingLogout } from '../ports.ts'

/** Longer than any refresh token is valid. */
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

/** Subscribes for the lifetime of the page to logouts in other tabs, each with the login session that is over. */
export function onLogoutElsewhere(listener: (sessionId: string) => void): void {
  new BroadcastChannel(LOGOUT_COOKIE).onmessage = ({ data }) => {
    if (isText(data)) listener(data)
  }
}
