import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { movableClock } from '../../support/movable-clock.ts'
import { newVisitor, signIn, startServer } from '../../support/servers/server.ts'

const now = Date.parse('2026-11-21T08:00:00Z')
const clock = { ...movableClock(), now: () => now }
const turn = { TURN_URL: 'turn:turn.example.org, turns:turn.example.org:443?transport=tcp', TURN_SECRET: 'secret' }

async function start(env: Record<string, string> = {}) {
  const server = await startServer(env, { clock })
  onTestFinished(server.stop)
  return server
}

test('without a TURN server there is a STUN server alone', async () => {
  const person = await signIn(await start(), { email: 'one@example.org' })
  expect(await person.request('readTurn', undefined)).toEqual({
    turnUrl: '',
    username: '',
    credential: '',
    stunUrl: 'stun:127.0.0.1:3478',
  })
})

test('credentials are for ten minutes and tell nothing about the person', async () => {
  const person = await signIn(await start(turn), { email: 'one@example.org' })
  const { turnUrl, username, credential } = await person.request('readTurn', undefined)
  expect(turnUrl).toBe('turn:turn.example.org,turns:turn.example.org:443?transport=tcp')
  expect(username).toMatch(new RegExp(`^${now / 1000 + 600}:[\\w-]{16}$`))
  expect(credential).toBe(createHmac('sha1', 'secret').update(username).digest('base64'))
})

test('the name at the relay is one for each account and day', async () => {
  const clock = { ...movableClock(), now: () => time }
  let time = now
  const server = await startServer(turn, { clock })
  onTestFinished(server.stop)
  const ada = await signIn(server, { email: 'one@example.org' })
  const bob = await signIn(server, { email: 'two@example.org' })
  const nameOf = async (person: typeof ada) => (await person.request('readTurn', undefined)).username.split(':')[1]
  const name = await nameOf(ada)
  expect(await nameOf(bob)).not.toBe(name)
  time += 600_000
  expect(await nameOf(ada)).toBe(name)
  time = now + 24 * 60 * 60_000
  await ada.request('refreshAccessToken', undefined)
  expect(await nameOf(ada)).not.toBe(name)
})

test('a stranger to the service gets none', async () => {
  expect((await newVisitor(await start(turn)).send('readTurn', undefined)).status).toBe(401)
})

test('nobody collects them: 30 a minute are enough, and others have their own 30', async () => {
  const server = await start(turn)
  const greedy = await signIn(server, { email: 'one@example.org' })
  const other = await signIn(server, { email: 'two@example.org' })
  for (let count = 1; count <= 30; count += 1) expect((await greedy.send('readTurn', undefined)).status).toBe(200)
  const refused = await greedy.send('readTurn', undefined)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.send('readTurn', undefined)).status).toBe(200)
})
