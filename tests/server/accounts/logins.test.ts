import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FRESH_SIGN_IN_MS, LOGIN_MS } from '../../../server/accounts/rules/login-ports.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../../../server/accounts/rules/tokens.ts'
import { copyOf, opensWith } from '../../support/attacks/stolen-login.ts'
import { hubPerson } from '../../support/hub/hub-person.ts'
import { movableClock } from '../../support/movable-clock.ts'
import {
  identityToken,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
  type Visitor,
} from '../../support/servers/server.ts'

const clock = movableClock()
let server: TestServer
let people = 0
/** The same person at two browsers. */
let here: SignedInVisitor
let there: SignedInVisitor

beforeAll(async () => {
  server = await startServer({}, { clock })
})
beforeEach(async () => {
  people += 1
  const email = `person${people}@example.org`
  there = await signIn(server, { email })
  clock.forward(1_000)
  here = await signIn(server, { email })
})
afterAll(() => server.stop())

const isSignedIn = async (visitor: Visitor) => (await visitor.send('validateAccessToken', undefined)).status === 200

async function problemOf(response: Response): Promise<unknown> {
  return { status: response.status, code: ((await response.json()) as { code: string }).code }
}

async function signInAgain(visitor: SignedInVisitor, email = visitor.email): Promise<Response> {
  return visitor.send('signInAgain', { source: 'Google', sourceAccessToken: await identityToken(visitor, { email }) })
}

test('the list has every login of the person, this one first, and gives no session id away', async () => {
  const place = { IpAddress: '192.0.2.7', HostName: 'NA', City: 'Bern', Country: 'CH', Coordinates: 'NA' }
  await there.request('addIp', { UserSessionId: there.sessionId, ...place })
  const { source, logins } = await here.request('readLogins', undefined)
  expect(source).toBe('Google')
  const device = { browser: 'Chrome', device: 'desktop', os: 'Linux' }
  const now = clock.now()
  expect(logins).toEqual([
    { id: expect.any(String), isCurrent: true, signedInAt: now, seenAt: now, ...device, city: null, country: null },
    {
      id: expect.any(String),
      isCurrent: false,
      signedInAt: now - 1_000,
      seenAt: now - 1_000,
      ...device,
      city: 'Bern',
      country: 'CH',
    },
  ])
  const text = JSON.stringify(logins)
  for (const { sessionId } of [here, there]) expect(text).not.toContain(sessionId)
})

test('what a browser does not know of its device is unknown in the list', async () => {
  const unknown = { UserAppRunOn: 'NA', UserDeviceName: 'NA', UserDeviceOs: 'NA', UserCity: 'NA', UserCountry: 'NA' }
  await here.request('createSession', { UserSessionId: here.sessionId, DeviceType: 'Web', ...unknown })
  const [own] = (await here.request('readLogins', undefined)).logins
  expect(own).toMatchObject({ browser: null, device: null, os: null, city: null, country: null })
})

test('a login is seen at each refresh, and is not listed once it can be refreshed no more', async () => {
  clock.forward(ACCESS_TOKEN_MS)
  await here.request('refreshAccessToken', undefined)
  const [own, other] = (await here.request('readLogins', undefined)).logins
  expect(own?.seenAt).toBe(clock.now())
  expect(other?.seenAt).toBe(clock.now() - ACCESS_TOKEN_MS - 1_000)
  clock.forward(REFRESH_TOKEN_MS - 1_000 - ACCESS_TOKEN_MS)
  await here.request('refreshAccessToken', undefined)
  expect((await here.request('readLogins', undefined)).logins).toHaveLength(1)
})

test('ending one login ends its tokens and its hub connection at once, and no other', async () => {
  const stolen = copyOf(server.origin, there)
  const connected = hubPerson(server, there)
  await connected.queue()
  const [, other] = (await here.request('readLogins', undefined)).logins
  await here.request('endLogin', { id: other?.id ?? '' })
  expect(await connected.ended).toContain('login-required')
  expect(await opensWith(server.origin, stolen, there.sessionId)).toEqual([])
  expect(await isSignedIn(here)).toBe(true)
  expect((await here.request('readLogins', undefined)).logins).toHaveLength(1)
  // Ended twice: it is over already.
  await here.request('endLogin', { id: other?.id ?? '' })
})

test('the id of a login of somebody else ends nothing', async () => {
  const stranger = await signIn(server, { email: 'stranger@example.org' })
  const [own] = (await here.request('readLogins', undefined)).logins
  await stranger.request('endLogin', { id: own?.id ?? '' })
  expect(await isSignedIn(here)).toBe(true)
  await stranger.request('endOtherLogins', undefined)
  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, true])
})

test('ending all others leaves the one that asks', async () => {
  const third = await signIn(server, { email: here.email })
  await here.request('endOtherLogins', undefined)
  expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(third)]).toEqual([true, false, false])
})

test('export and deletion need a sign-in of the last ten minutes; a new one keeps session and profile', async () => {
  clock.forward(FRESH_SIGN_IN_MS)
  expect((await here.send('exportData', undefined)).status).toBe(200)
  clock.forward(1)
  for (const name of ['exportData', 'deleteData'] as const)
    expect(await problemOf(await here.send(name, undefined))).toEqual({ status: 403, code: 'sign-in-again' })
  // A refresh is no sign-in.
  await here.request('refreshAccessToken', undefined)
  expect((await here.send('deleteData', undefined)).status).toBe(403)

  expect((await signInAgain(here)).status).toBe(200)
  expect((await here.send('exportData', undefined)).status).toBe(200)
  expect(await here.request('readSessionIdCookie', undefined)).toEqual({ cookieValue: here.sessionId })
  expect((await here.request('readProfileCookie', undefined)).cookieValue).toContain('Ada')
  // The other browser has not signed in again.
  expect((await there.send('deleteData', undefined)).status).toBe(403)
  expect((await here.send('deleteData', undefined)).status).toBe(200)
})

test('somebody else at the provider is refused, and nothing has changed', async () => {
  clock.forward(FRESH_SIGN_IN_MS + 1)
  const refused = await signInAgain(here, 'somebody-else@example.org')
  expect(await problemOf(refused)).toEqual({ status: 403, code: 'other-account' })
  expect(await isSignedIn(here)).toBe(true)
  expect((await here.send('exportData', undefined)).status).toBe(403)
})

test('signing in again leaves a thief with dead tokens, and the use of the stolen refresh token shows', async () => {
  const stolen = copyOf(server.origin, here)
  clock.forward(1_000)
  await signInAgain(here)
  clock.forward(60_000)
  expect(await opensWith(server.origin, stolen, here.sessionId)).toEqual([])
})

test('a login ends 90 days after its sign-in, however often it is refreshed', async () => {
  const step = REFRESH_TOKEN_MS - 60_000
  for (let spent = step; spent < LOGIN_MS; spent += step) {
    clock.forward(step)
    expect((await here.send('refreshAccessToken', undefined)).status).toBe(200)
  }
  clock.forward(LOGIN_MS - 3 * step - 1)
  await here.request('refreshAccessToken', undefined)
  expect(await isSignedIn(here)).toBe(true)
  clock.forward(1)
  expect(await isSignedIn(here)).toBe(false)
  expect((await here.send('refreshAccessToken', undefined)).status).toBe(401)
})

test('a logout has the browser drop what the pages have stored', async () => {
  const response = await here.send('logout', undefined)
  expect(response.headers.get('clear-site-data')).toBe('"storage"')
})
