import { parseSessionCookie } from '#protocol/cookies.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import { lookUpIp, unknownIp } from '../domain/ip-lookup.ts'
import type { Api, DeviceInfo, Log } from '../domain/ports.ts'
import { sessionEntry } from '../domain/session-entry.ts'
import type { VisitStore } from './visit.ts'

type Ports = {
  api: Api
  log: Log
  deviceInfo: () => Promise<DeviceInfo>
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
}

/** The entry of a new login session: the device and its location. It is sent while the user looks at the sign-in page. */
export function createDeviceEntry({ api, log, deviceInfo, whenIdle }: Ports, visit: VisitStore) {
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

  /** Two tabs that started at once without a cookie got two login sessions, and the browser kept the cookie of one. */
  async function takeUpSession(): Promise<void> {
    const session = parseSessionCookie((await api.request('readSession', undefined)).cookieValue)
    if (!session) throw new AppError('cookie-invalid', 'Cookie value missing or invalid', { cookie: 'session' })
    visit.begin(session.id)
    isWanted = session.type === 'new'
  }

  async function sendAgain(failure: unknown): Promise<void> {
    if (toAppError(failure).code === 'forbidden') await takeUpSession()
    if (isWanted) await send()
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

    /** Resolves when a wanted entry is stored, which the tokens need. Waits for no IP lookup; sends a failed entry once more. */
    async ensure(): Promise<void> {
      if (!isWanted) return
      attempt ??= send()
      skipLookup()
      try {
        await attempt
      } catch (thrown) {
        attempt = sendAgain(thrown)
        skipLookup()
        await attempt
      }
    },
  }
}
