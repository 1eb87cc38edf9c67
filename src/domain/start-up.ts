import { NOT_AVAILABLE, VALID } from '#protocol/constants.ts'
import { parseProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'
import { AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { IpInfo } from '#protocol/rest.ts'
import type { Api, DeviceInfo } from './ports.ts'
import { sessionEntry } from './session-entry.ts'

/** The first screen of a visit, which depends on this browser's login session and profile. */
export type StartUp = { sessionId: string; clockOffsetMs: number } & (
  | { to: 'login' }
  | { to: 'dashboard'; email: string; nickName: string }
)

const unknownIp: IpInfo = {
  ip: NOT_AVAILABLE,
  hostname: NOT_AVAILABLE,
  city: NOT_AVAILABLE,
  country: NOT_AVAILABLE,
  loc: NOT_AVAILABLE,
}

const notSignedIn: ReadonlySet<ErrorCode> = new Set(['login-required', 'refresh-failed', 'forbidden'])

type Surroundings = { api: Api; deviceInfo: () => Promise<DeviceInfo>; now: () => number }

/** Start-up as in section 4 of the specification. Rejects with an AppError if the visit cannot continue. */
export async function startUp({ api, deviceInfo, now }: Surroundings): Promise<StartUp> {
  const time = await api.request('readServerTime', undefined)
  const server = time.timestamp ?? (time.time === undefined ? now() : Date.parse(time.time))
  const clockOffsetMs = Number.isFinite(server) ? server - now() : 0

  const { cookieValue } = await api.request('readSession', undefined)
  const session = parseSessionCookie(cookieValue)
  if (!session) throw new AppError('cookie-invalid', 'Cookie value missing or invalid', { cookie: 'session' })
  const visit = { sessionId: session.id, clockOffsetMs }

  if (session.type === 'new') {
    const [device, ip] = await Promise.all([deviceInfo(), lookUpIp(api)])
    await api.request('createSession', sessionEntry(session.id, device, ip))
    return { ...visit, to: 'login' }
  }

  const profile = await signedInProfile(api)
  return profile ? { ...visit, to: 'dashboard', ...profile } : { ...visit, to: 'login' }
}

/** Never rejects: unknown details are 'NA'. */
export async function lookUpIp(api: Api): Promise<IpInfo> {
  return api.request('readIp', undefined).catch(() => unknownIp)
}

/** Returns null if no user is signed in. Rejects on a network failure. */
async function signedInProfile(api: Api): Promise<{ email: string; nickName: string } | null> {
  try {
    const { cookieValue } = await api.request('readProfileCookie', undefined)
    const profile = parseProfileCookie(cookieValue)
    if (!profile) return null
    const validated = await api.request('validateAccessToken', undefined)
    if (validated.message !== VALID) return null
    const refreshed = await api.request('refreshAccessToken', undefined)
    return refreshed.message === VALID ? profile : null
  } catch (thrown) {
    const error = toAppError(thrown)
    if (notSignedIn.has(error.code)) return null
    throw error
  }
}
