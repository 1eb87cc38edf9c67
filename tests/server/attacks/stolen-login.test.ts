import { afterAll, beforeAll, expect, test } from 'vitest'
import { REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { copyOf, followRotations, opensWith, raceLogout, reuseAfterTheft } from '../../support/attacks/stolen-login.ts'
import { hubPerson } from '../../support/hub/hub-person.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { identityToken, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

// Slow timers: the hub would take a connection for silent when the clock goes forward.
const clock = movableClock(20)
let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { clock })
})
afterAll(() => server.stop())

const forwardGrace = () => clock.forward(REFRESH_GRACE_MS + 1)

test('a logout ends a login also while a thief uses it', async () => {
  expect(await raceLogout(server.origin, 3)).toBe(0)
})

test('the reuse of a refresh token ends the whole login: access token, hub token and export', async () => {
  const { open } = await reuseAfterTheft(server.origin, forwardGrace)
  expect(open).toEqual([])
})

test('the reuse of a refresh token closes the hub connection and revokes hub tokens issued before', async () => {
  const victim = await signIn(server, { email: 'connected@example.org' })
  const thief = copyOf(server.origin, victim)
  await thief.request('refreshAccessToken', undefined)
  const { hubConnectionAccessToken } = await thief.request('readHubToken', { userSessionId: victim.sessionId })
  const connected = hubPerson(server, { ...victim, ...thief })
  await connected.queue()
  forwardGrace()
  expect((await victim.send('refreshAccessToken', undefined)).status).toBe(401)
  expect(await connected.ended).toContain('login-required')
  const negotiated = await fetch(`${server.origin}/chathub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hubConnectionAccessToken}` },
  })
  expect(negotiated.status).toBe(401)
})

test('tokens of an ended login stay invalid when its owner signs in again in the same session', async () => {
  const { victim, thief } = await reuseAfterTheft(server.origin, forwardGrace)
  clock.forward(1)
  await victim.request('setTokens', {
    userEmailAddress: victim.email,
    userSessionId: victim.sessionId,
    sourceAccessToken: await identityToken(victim, victim),
    platformType: 'Web',
    source: 'Google',
  })
  expect((await victim.send('validateAccessToken', undefined)).status).toBe(200)
  expect(await opensWith(server.origin, thief, victim.sessionId)).toEqual([])
})

test.each([
  ['another network', '198.51.100.9', 'node', 1],
  ['another network, with another device', '203.0.113.9', 'curl/8', 0],
])('a thief in %s follows few rotations', async (_, address, device, few) => {
  const { followed, owner } = await followRotations(server.origin, 6, { address, device })
  expect(followed).toBe(few)
  expect((await owner.send('validateAccessToken', undefined)).status).toBe(401)
})

test('the cookie of a refresh token does not tell a thief whether its owner has used it', async () => {
  const victim = await signIn(server, { email: 'watched@example.org' })
  const thief = copyOf(server.origin, victim)
  const before = await thief.request('readRefreshToken', undefined)
  await victim.request('refreshAccessToken', undefined)
  expect(await thief.request('readRefreshToken', undefined)).toEqual(before)
})
