import { parseSessionCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import type { DeviceInfo } from '../ports.ts'
import { lookUpIp, sessionEntry, unknownIp } from '../rules/login-session.ts'
import { type StartUp, startUp } from '../rules/start-up.ts'
import type { LogoutDelivery } from './logout-delivery.ts'

export type LoginSessionPorts = Omit<EntryPorts, 'beginSession'> & {
  clock: Pick<Clock, 'now'>
  /** Sets the session id and clock offset of all later log entries. */
  identify: (userSessionId: string, clockOffsetMs: number) => void
}

export type LoginSession = ReturnType<typeof createLoginSession>

/** The login session of the visit. */
export function createLoginSession(
  ports: LoginSessionPorts,
  visit: Pick<VisitStore, 'userSessionId' | 'begin'>,
  delivery: LogoutDelivery,
) {
  const { api, log, clock } = ports
  /** Server time minus client time, in ms. */
  let clockOffsetMs = 0
  const entry = createDeviceEntry({ ...ports, beginSession }, visit)
  /** The request for a new login session after a logout; null unless it is under way. Never rejects. */
  let next: Promise<void> | null = null

  function beginSession(id: string): void {
    visit.begin(id)
    ports.identify(id, clockOffsetMs)
  }

  function takeUp(start: StartUp): void {
    clockOffsetMs = start.clockOffsetMs
    beginSession(start.sessionId)
    entry.begin(start.wantsEntry)
  }

  async function beginNext(): Promise<void> {
    await delivery.settled()
    try {
      const start = startUp(await api.request('readStart', undefined), clock.now())
      if (visit.userSessionId.peek() === '') takeUp(start)
    } catch (thrown) {
      log.error('The visit after the logout has not begun', thrown)
    }
    next = null
  }

  return {
    entry,
    takeUp,
    /** Returns the current time of the server's clock in ms. The device's clock may be wrong by years. */
    serverNow: (): number => clock.now() + clockOffsetMs,
    /** After a logout, gets a new login session in the background as soon as the server can be reached. */
    takeUpNext(): void {
      next ??= beginNext()
    },
    /** Resolves when a sign-in in the login session is possible. */
    async ready(): Promise<void> {
      await delivery.interrupt()
      await next
      await entry.ensure()
    },
  }
}

type EntryPorts = {
  api: Api
  log: Log
  deviceInfo: () => Promise<DeviceInfo>
  /** Sets the login session of the visit and of all later log entries. */
  beginSession: (id: string) => void
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
}

/** Sends the entry (device and location) of a new login session, while the user looks at the sign-in page. */
export function createDeviceEntry(
  { api, log, deviceInfo, beginSession, whenIdle }: EntryPorts,
  visit: Pick<VisitStore, 'userSessionId'>,
) {
  let isWanted = false
  /** The last attempt to send the entry; null before the first. */
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

  /** Adopts the login session of the browser's cookie. Resolves with true if it differs from the visit's. */
  async function takeUpSession(): Promise<boolean> {
    const session = parseSessionCookie((await api.request('readSession', undefined)).cookieValue)
    if (!session) throw new AppError('cookie-invalid', 'Cookie value missing or invalid', { cookie: 'session' })
    if (session.id === visit.userSessionId.peek()) return false
    beginSession(session.id)
    isWanted = session.type === 'new'
    return true
  }

  /** Sends the entry, if it is still wanted, without waiting for the location. */
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

    /** Sends a wanted entry once, when the page is idle. A failure is only logged: `ensure` repeats a failed entry. */
    sendWhenIdle(): void {
      if (!isWanted) return
      whenIdle(() => {
        if (!isWanted || attempt) return
        attempt = send()
        attempt.catch((thrown: unknown) => log.error('The device entry was not sent', thrown))
      })
    },

    /**
     * Resolves when a wanted entry is stored; tokens need the entry. Does not wait for the IP lookup. Sends a failed
     * entry once more. After a logout first adopts a login session.
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
     * Called when the server has refused the visit's login session: two tabs that started at once without a cookie got two login sessions,
     * and the browser kept only one cookie. Adopts the cookie's login session. Resolves with false if it is that of this visit.
     */
    async takeUpOther(): Promise<boolean> {
      if (!(await takeUpSession())) return false
      attempt = sendNow()
      await attempt
      return true
    },
  }
}
