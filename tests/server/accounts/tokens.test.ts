import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCESS_TOKEN_MS, REFRESH_GRACE_MS, REFRESH_TOKEN_MS } from '../../../server/accounts/rules/tokens.ts'
import { movableClock } from '../../support/movable-clock.ts'
import {
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
  type Visitor,
} from '../../support/servers/server.ts'

const clock = movableClock()
let server: TestServer
let ada: SignedInVisitor

beforeAll(async () => {
  server = await startServer({}, { clock })
})
beforeEach(async () => {
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

const status = async (name: 'validateAccessToken' | 'refreshAccessToken', visitor: Visitor = ada) =>
  (await visitor.send(name, undefined)).status

/** Another tab or a thief: the same refresh token in a jar of its own. */
function copyWith(refresh: string) {
  const copy = newVisitor(server)
  copy.cookies.set('refresh', refresh)
  return copy
}

test('an expired access token is 401 until it is refreshed', async () => {
  clock.forward(ACCESS_TOKEN_MS)
  expect(await status('validateAccessToken')).toBe(401)
  expect(await status('refreshAccessToken')).toBe(200)
  expect(await status('validateAccessToken')).toBe(200)
})

test('every refresh rotates the token', async () => {
  const seen = new Set([ada.cookies.get('refresh')])
  for (let round = 0; round < 3; round++) {
    expect(await status('refreshAccessToken')).toBe(200)
    seen.add(ada.cookies.get('refresh'))
  }
  expect(seen.size).toBe(4)
})

test('a second tab within 30 s gets the same successor', async () => {
  const tab = copyWith(ada.cookies.get('refresh') ?? '')
  await ada.request('refreshAccessToken', undefined)
  clock.forward(REFRESH_GRACE_MS)
  await tab.request('refreshAccessToken', undefined)
  expect(tab.cookies.get('refresh')).toBe(ada.cookies.get('refresh'))
})

test('a token presented after its grace period ends the login', async () => {
  const thief = copyWith(ada.cookies.get('refresh') ?? '')
  await ada.request('refreshAccessToken', undefined)
  clock.forward(REFRESH_GRACE_MS + 1)
  expect(await status('refreshAccessToken', thief)).toBe(401)
  expect(await status('validateAccessToken')).toBe(401)
  expect(await status('refreshAccessToken')).toBe(401)
  expect(ada.cookies.has('access')).toBe(false)
})

test('a refresh token ends after 30 days', async () => {
  clock.forward(REFRESH_TOKEN_MS)
  expect(await status('refreshAccessToken')).toBe(401)
})

test('a deleted refresh token is revoked, not only forgotten', async () => {
  const copy = copyWith(ada.cookies.get('refresh') ?? '')
  await ada.request('deleteRefreshToken', undefined)
  expect(await status('refreshAccessToken', copy)).toBe(401)
})

test('signing in again ends the earlier login of this browser', async () => {
  const copy = copyWith(ada.cookies.get('refresh') ?? '')
  const token = await ada.fetch('/dev-identity/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'Google', email: ada.email, firstName: '', lastName: '' }),
  })
  const { accessToken } = (await token.json()) as { accessToken: string }
  await ada.request('setTokens', {
    userEmailAddress: ada.email,
    userSessionId: ada.sessionId,
    sourceAccessToken: accessToken,
    platformType: 'Web',
    source: 'Google',
  })
  expect(await status('refreshAccessToken', copy)).toBe(401)
  expect(await status('refreshAccessToken')).toBe(200)
})

test('a hub token or an invented token is no access token', async () => {
  const { hubConnectionAccessToken } = await ada.request('readHubToken', { userSessionId: ada.sessionId })
  for (const token of [hubConnectionAccessToken, 'x.y.z', `${ada.cookies.get('access')?.slice(0, -3)}abc`]) {
    ada.cookies.set('access', token)
    expect(await status('validateAccessToken')).toBe(401)
  }
})

test('a refresh that has no token to refuse leaves the cookies alone: its response may come after the next sign-in', async () => {
  const nobody = newVisitor(server)
  const refused = await nobody.send('refreshAccessToken', undefined)
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
  const expired = await copyWith('expired').send('refreshAccessToken', undefined)
  expect(expired.headers.getSetCookie()).toEqual([expect.stringMatching(/^refresh=;/)])
})
