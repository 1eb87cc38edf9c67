import { parseSessionCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import type { DeviceInfo } from '../ports.ts'
import { lookUpIp, unknownIp } from '../rules/ip-lookup.ts'
import { sessionEntry } from '../rules/session-entry.ts'

type Ports = {
  api: Api
  log: Log
  deviceInfo: () => Promise<DeviceInfo>
  /** Makes a login session that of the visit and of all later log entries. */
  beginSession: (id: string) => void
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
}

export type DeviceEntry = ReturnType<typeof createDeviceEntry>

/** The entry of a new login session: the device and its location. It is sent while the user looks at the sign-in page. */
export function createDeviceEntry(
  { api, log, deviceInfo, beginSession, whenIdle }: Ports,
  visit: Pick<VisitStore, 'userSessionId'>,
) {
  let isWanted = false
  /** The last attempt; null before the first. */
  let attempt: Promise<void> | null = null
  let skipLookup = () => {}

  async function send(): Promise<void> {
    const skipped = new Promise<typeof unknownIp>((resolve) => {
      skipLookup = () => resolve(unknownIp)
    })
    const [device, ip] = await Promise.all([deviceInfo(), Promise.race([lookUpIp(api), skipped])])
    await api.request('createSession', sessionEntry(visit.userSessionId.peek(), device, ip))
    isWanted = false
  }

  /** Takes up the login session of the browser's cookie. Resolves with true if it is another than the visit's. */
  async function takeUpSession(): Promise<boolean> {
    const session = parseSessionCookie((await api.request('readSession', undefined)).cookieValue)
    if (!session) throw new AppError('cookie-invalid', 'Cookie value missing or invalid', { cookie: 'session' })
    if (session.id === visit.userSessionId.peek()) return false
    beginSession(session.id)
    isWanted = session.type === 'new'
    return true
  }

  /** Sends the entry if it is still wanted, without the location. */
  async function sendNow(): Promise<void> {
    if (!isWanted) return
    const sent = send()
    skipLookup()
    await sent
  }

  async function sendAgain(failure: unknown): Promise<void> {
    if (toAppError(failure).code === 'forbidden') await takeUpSession()
    await sendNow()
  }

  return {
    /** Called at the start of a visit. */
    begin(wanted: boolean): void {
      isWanted = wanted
      attempt = null
    },

    /** Sends a wanted entry once, when the page is idle. A failure is only logged: `ensure` sends it again. */
    sendWhenIdle(): void {
      if (!isWanted) return
      whenIdle(() => {
        if (!isWanted || attempt) return
        attempt = send()
        attempt.catch((thrown: unknown) => log.error('The device entry was not sent', thrown))
      })
    },

    /**
     * Resolves when a wanted entry is stored, which the tokens need. Waits for no IP lookup; sends a failed entry once more. Without a
     * login session, as after a logout, it takes one up first.
     */
    async ensure(): Promise<void> {
      if (visit.userSessionId.peek() === '') await takeUpSession()
      if (!isWanted) return
      attempt ??= send()
      skipLookup()
      try {
        await attempt
      } catch (thrown) {
        attempt = sendAgain(thrown)
        await attempt
      }
    },

    /**
     * Called when the server has refused the visit's login session. Two tabs that started at once without a cookie got two of them, and
     * the browser kept the cookie of one. Resolves with false if the cookie is that of this visit.
     */
    async takeUpOther(): Promise<boolean> {
      if (!(await takeUpSession())) return false
      attempt = sendNow()
      await attempt
      return true
    },
  }
}
