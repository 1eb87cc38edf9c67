import { isText } from '#protocol/checks.ts'
import { LOGOUT_COOKIE } from '#protocol/constants.ts'

/** Subscribes for the lifetime of the page to logouts in other tabs, each with the login session that is over. */
export function onLogoutElsewhere(listener: (sessionId: string) => void): void {
  new BroadcastChannel(LOGOUT_COOKIE).onmessage = ({ data }) => {
    if (isText(data)) listener(data)
  }
}
