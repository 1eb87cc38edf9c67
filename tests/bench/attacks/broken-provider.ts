import { formatProfileCookie } from '#protocol/cookies.ts'
import { startFakeService } from '../../support/fakes/fake-service.ts'
import { newVisitor, type SignedInVisitor, sessionOf } from '../../support/servers/server.ts'

const CLIENT_ID = 'bench'
const KNOWN = 'known-'
const HOUR_SECONDS = 3_600

/** A provider on this machine that knows the tokens of bystanders and fails with 503 for all others. */
export async function startBrokenProvider(): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const service = await startFakeService((_path, query) => {
    const token = query.get('access_token') ?? ''
    if (!token.startsWith(KNOWN)) return { status: 503, body: {} }
    const email = token.slice(KNOWN.length)
    const exp = Math.floor(Date.now() / 1_000) + HOUR_SECONDS
    return { body: { sub: email, aud: CLIENT_ID, exp, email, email_verified: true } }
  })
  return { env: { GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_TOKENINFO_URL: service.url }, close: service.close }
}

/** What `signIn` of the tests does, with a token of this provider. */
export async function signInWithProvider(origin: string, email: string): Promise<SignedInVisitor> {
  const visitor = newVisitor({ origin })
  const [sessionId, nickName] = [await sessionOf(visitor), 'Ada']
  const device = {
    DeviceType: 'Web',
    UserAppRunOn: 'Chrome',
    UserDeviceName: 'desktop',
    UserDeviceOs: 'Linux',
  } as const
  await visitor.request('createSession', { UserSessionId: sessionId, ...device })
  await visitor.request('setTokens', {
    userEmailAddress: email,
    userSessionId: sessionId,
    sourceAccessToken: `${KNOWN}${email}`,
    platformType: 'Web',
    source: 'Google',
  })
  const fields = { EmailAddress: email, NickName: nickName, Gender: 'girl', DOB: '1990-12-10' } as const
  await visitor.request('addProfile', { ...fields, ConsentAgreed: 'true' })
  await visitor.request('setProfileCookie', { CookieValue: formatProfileCookie({ email, nickName }) })
  return { ...visitor, email, sessionId, nickName }
}
