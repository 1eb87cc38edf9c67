import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOGOUT_COOKIE } from '#protocol/constants.ts'
import { parseSessionCookie } from '#protocol/cookies.ts'
import {
  identityToken,
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

let people = 0

/** A user of a browser, and a visitor with copies of the cookies that this browser has now. */
async function person() {
  people += 1
  const user = await signIn(server, { email: `late${people}@example.org` })
  const thief = newVisitor(server)
  for (const [name, value] of user.cookies) thief.cookies.set(name, value)
  return { user, thief }
}

/** What the page does at a logout while the server cannot be reached. */
function logOutUnheard({ cookies, sessionId }: SignedInVisitor): void {
  cookies.set(LOGOUT_COOKIE, sessionId)
}

async function statusesOf(visitor: ReturnType<typeof newVisitor>): Promise<number[]> {
  return [
    (await visitor.send('validateAccessToken', undefined)).status,
    (await visitor.send('refreshAccessToken', undefined)).status,
  ]
}

describe('a logout that the server has not heard of', () => {
  test('ends the login at the start of the next visit, which is a new visitor’s', async () => {
    const { user, thief } = await person()
    logOutUnheard(user)
    const start = await user.request('readStart', undefined)
    expect(start).toMatchObject({ isSignedIn: false, profile: null, wantsEntry: true })
    expect(parseSessionCookie(start.session)?.id).not.toBe(user.sessionId)
    expect([...user.cookies.keys()]).toEqual(['session'])
    expect(await statusesOf(thief)).toEqual([401, 401])
  })

  test('makes each request nobody’s, and the next refresh ends the login', async () => {
    const { user, thief } = await person()
    const { hubConnectionAccessToken: token } = await user.request('readHubToken', { userSessionId: user.sessionId })
    logOutUnheard(user)
    expect((await user.send('readLogins', undefined)).status).toBe(401)
    expect((await user.send('refreshAccessToken', undefined)).status).toBe(401)
    expect([...user.cookies.keys()]).toEqual([])
    expect(await statusesOf(thief)).toEqual([401, 401])
    const negotiated = await fetch(`${server.origin}/chathub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(negotiated.status).toBe(401)
  })

  test('does not let its login session be signed in again; a new one is', async () => {
    const { user, thief } = await person()
    logOutUnheard(user)
    const tokens = (userSessionId: string, sourceAccessToken: string) =>
      user.send('setTokens', {
        userEmailAddress: 'next@example.org',
        userSessionId,
        sourceAccessToken,
        platformType: 'Web',
        source: 'Google',
      })
    const accessToken = await identityToken(user, { email: 'next@example.org' })
    expect((await tokens(user.sessionId, accessToken)).status).toBe(403)
    const fresh = parseSessionCookie((await user.request('readSession', undefined)).cookieValue)?.id ?? ''
    expect((await tokens(fresh, accessToken)).status).toBe(200)
    expect((await user.send('validateAccessToken', undefined)).status).toBe(200)
    expect(await statusesOf(thief)).toEqual([401, 401])
  })

  test('of another login session changes nothing', async () => {
    const { user } = await person()
    user.cookies.set(LOGOUT_COOKIE, 'another-session')
    expect(await user.request('readStart', undefined)).toMatchObject({ isSignedIn: true })
  })
})

describe('a logout that names its login session', () => {
  test('ends it, and clears the cookies', async () => {
    const { user, thief } = await person()
    logOutUnheard(user)
    const response = await user.send('logout', { UserSessionId: user.sessionId })
    expect(response.headers.get('clear-site-data')).toBe('"storage"')
    expect([...user.cookies.keys()]).toEqual([])
    expect(await statusesOf(thief)).toEqual([401, 401])
  })

  test('and arrives after the next user has signed in leaves that login and its data alone', async () => {
    const { user: ada } = await person()
    const { user: bob } = await person()
    const late = await bob.send('logout', { UserSessionId: ada.sessionId })
    expect(late.status).toBe(200)
    expect(late.headers.has('clear-site-data')).toBe(false)
    expect((await bob.send('validateAccessToken', undefined)).status).toBe(200)
  })
})
