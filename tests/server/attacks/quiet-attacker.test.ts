import { expect, onTestFinished, test } from 'vitest'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import {
  forgeFromElsewhere,
  guessConsoleLogins,
  guessSignIns,
  readOthersData,
} from '../../support/attacks/quiet-attacker.ts'
import { upgradeStatus } from '../../support/hub/hub-client.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { readMetrics } from '../../support/servers/read-metrics.ts'
import { newVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'

type Line = { part?: string; event?: string; from?: string; account?: string; route?: string; suppressed?: number }

async function watchedServer() {
  const texts: string[] = []
  const server = await startServerProcess({ LOG_LEVEL: 'warn' }, (text) => texts.push(text))
  const lines = (event: string) =>
    texts
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Line)
      .filter((line) => line.part === 'security' && line.event === event)
  return { origin: server.url, texts, lines, stop: server.stop }
}

const event = (name: string) => `waggle_security_events_total{event="${name}"}`

test('guesses and probes are logged in few lines, none of which identifies a person', async () => {
  const server = await watchedServer()
  onTestFinished(async () => void (await server.stop()))
  const ada = await signIn(server, { email: 'ada@example.org' })
  const eve = await signIn(server, { email: 'eve@example.org' })

  await guessSignIns(server, 20)
  await readOthersData(eve, ada.email, 20)
  await forgeFromElsewhere(ada, 20)
  expect(await guessConsoleLogins(server, 'mia', 20)).toMatchObject({ 401: expect.any(Number) })

  const metrics = await readMetrics(server)
  for (const name of ['sign-in-refused', 'forbidden', 'origin-refused', 'console-login-refused'])
    expect(metrics(event(name)), name).toBe(20)

  await expect.poll(() => server.lines('console-login-refused').length).toBeGreaterThan(0)
  const [guess] = server.lines('sign-in-refused')
  expect(guess).toMatchObject({ route: `POST ${API_BASE}/${endpoints.setTokens.path}`, from: expect.any(String) })
  expect(server.lines('forbidden')[0]?.account).toMatch(/^[\w-]{10,}$/)

  expect(await server.stop()).toBe(0)
  for (const name of ['sign-in-refused', 'forbidden', 'origin-refused', 'console-login-refused']) {
    const [counts, written] = [server.lines(name).filter((line) => line.suppressed), server.lines(name)]
    expect(written.length - counts.length, name).toBe(5)
    // The number of suppressed lines is written at the latest when the server ends.
    expect(counts.map(({ suppressed }) => suppressed)).toEqual([15])
  }
  for (const text of server.texts)
    for (const hidden of ['ada@', 'eve@', 'victim-', 'guess-', '127.0.0.1', ada.sessionId])
      expect(text).not.toContain(hidden)
})

test('a flood of requests and a refresh token that is used again are counted', async () => {
  const clock = movableClock()
  const server = await startServer({ TURN_URL: 'turn:127.0.0.1', TURN_SECRET: 'x' }, { clock })
  onTestFinished(server.stop)
  expect((await readMetrics(server))(event('refresh-token-reused'))).toBe(0)

  const ada = await signIn(server, { email: 'ada@example.org' })
  for (let count = 0; count < 35; count += 1) await ada.send('readTurn', undefined)
  expect((await readMetrics(server))(event('rate-limited'))).toBe(5)

  const thief = newVisitor(server)
  thief.cookies.set('refresh', ada.cookies.get('refresh') ?? '')
  await ada.request('refreshAccessToken', undefined)
  clock.forward(REFRESH_GRACE_MS + 1)
  expect((await thief.send('refreshAccessToken', undefined)).status).toBe(401)
  expect((await readMetrics(server))(event('refresh-token-reused'))).toBe(1)
})

test('a refused negotiation is counted', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const visitor = newVisitor(server)
  expect((await visitor.fetch('/chathub/negotiate?negotiateVersion=1', { method: 'POST' })).status).toBe(401)
  expect((await readMetrics(server))(event('hub-refused'))).toBe(1)
})

test('a refused socket is logged in one line with a digest of its address', async () => {
  const server = await watchedServer()
  onTestFinished(async () => void (await server.stop()))
  expect(await upgradeStatus(`${server.origin}/chathub`)).toBe(401)
  await expect.poll(() => server.lines('hub-refused')).toMatchObject([{ code: '401', from: expect.any(String) }])
})
