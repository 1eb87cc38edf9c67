import { once } from 'node:events'
import { connect } from 'node:net'
import { duplexPair } from 'node:stream'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { problemSchema } from '#protocol/problem.ts'
import { refuseUnparsedRequest } from '../../../../server/platform/http/create-http-server.ts'
import { upgradeStatus } from '../../../support/hub/hub-client.ts'
import { movableClock } from '../../../support/movable-clock.ts'
import { newVisitor, sessionOf, signIn, startServer, type TestServer } from '../../../support/servers/server.ts'

/** The clock of its limits stands: they hold however long the requests take. */
async function start(env: Record<string, string> = {}) {
  const server = await startServer(env, { clock: movableClock() })
  onTestFinished(server.stop)
  return server
}

/** For tests that leave nothing behind at it. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** What comes back for bytes that no client library would send. */
async function sendRaw(port: number, text: string): Promise<{ status: number; problem: unknown; head: string }> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part
  })
  socket.write(text)
  await once(socket, 'close')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    problem: v.parse(problemSchema, JSON.parse(body)),
    head,
  }
}

const times = <T>(count: number, task: () => T): T[] => Array.from({ length: count }, task)

const paths = ['/', '/healthz', '/api/server/time/get', '/api/nothing', '/chathub/negotiate', '/dev-identity']

describe('a server behind a proxy', () => {
  let proxied: TestServer
  beforeAll(async () => {
    const env = { ADDRESS_REQUESTS_PER_MINUTE: '60', TRUST_PROXY: '127.0.0.1' }
    proxied = await startServer(env, { clock: movableClock() })
  })
  afterAll(() => proxied.stop())

  test.each(paths)('one address may not ask for %s without end, whatever others do', async (path) => {
    const [one, other] = [`192.0.2.${paths.indexOf(path)}`, `198.51.100.${paths.indexOf(path)}`]
    const visitor = newVisitor(proxied)
    for (let n = 0; n < 60; n += 1) expect((await visitor.fetch(path, from(one))).status).not.toBe(429)
    // All at once, and more than one a second more that the address may ask.
    const [responses, upgrades] = await Promise.all([
      Promise.all(times(20, () => visitor.fetch(path, from(one)))),
      Promise.all(times(20, () => upgradeStatus(`${proxied.origin}/chathub`, from(one).headers))),
    ])
    const refused = responses.find(({ status }) => status === 429)
    if (!refused) throw new Error('no request was refused')
    expect(upgrades).toContain(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('content-security-policy')).not.toBeNull()
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests' })
    expect((await visitor.fetch(path, from(other))).status).not.toBe(429)
    expect(await upgradeStatus(`${proxied.origin}/chathub`, from(other).headers)).toBe(401)
  })
})

test('who is no proxy cannot choose the address it is counted by', async () => {
  const server = await start({ ADDRESS_REQUESTS_PER_MINUTE: '60' })
  const visitor = newVisitor(server)
  const statuses = new Set<number>()
  for (let n = 0; n < 61; n += 1) statuses.add((await visitor.fetch('/healthz', from(`192.0.2.${n}`))).status)
  expect(statuses).toEqual(new Set([200, 429]))
})

test('an address holds a limited number of connections', async () => {
  const server = await start({ CONNECTIONS_PER_ADDRESS: '3' })
  const held = Array.from({ length: 3 }, () => connect(server.port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of held) socket.destroy()
  })
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  const more = connect(server.port, '127.0.0.1').on('error', () => undefined)
  await once(more, 'close')
  held[0]?.destroy()
  // The place is free again as soon as the server has noticed.
  const answered = async () =>
    (
      await newVisitor(server)
        .fetch('/healthz')
        .catch(() => null)
    )?.status
  await expect.poll(answered).toBe(200)
})

test('a user asks for a limited number of hub connections, and holds ten', async () => {
  const server = await start()
  const ada = await signIn(server, { email: 'ada@example.org' })
  const { hubConnectionAccessToken } = await ada.request('readHubToken', { userSessionId: ada.sessionId })
  const headers = { authorization: `Bearer ${hubConnectionAccessToken}` }
  const negotiate = () => ada.fetch('/chathub/negotiate?negotiateVersion=1', { method: 'POST', headers })
  const tokens: string[] = []
  let refused: Response | undefined
  while (!refused) {
    const response = await negotiate()
    if (response.status === 200)
      tokens.push(v.parse(v.object({ connectionToken: v.string() }), await response.json()).connectionToken)
    else refused = response
  }
  expect(refused.status).toBe(429)
  expect(tokens.length).toBeGreaterThanOrEqual(60)
  const statuses: number[] = []
  const open: AbortController[] = []
  for (const token of tokens.slice(0, 11)) {
    const held = new AbortController()
    open.push(held)
    statuses.push(await upgradeStatus(`${server.origin}/chathub?id=${token}`, headers, held.signal))
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 101), 429])
  for (const held of open) held.abort()
})

test.each([
  ['no HTTP at all', 'SSH-2.0-OpenSSH\r\n\r\n', 400],
  ['a header that is none', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ['length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ['large headers', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431],
  ['a long address', `GET /${'a'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414],
])('%s is a problem document', async (_name, text, status) => {
  const answer = await sendRaw(server.port, text)
  expect(answer).toMatchObject({ status, problem: { status } })
  expect(answer.head).toContain('application/problem+json')
  expect(JSON.stringify(answer.problem)).not.toMatch(/node_modules|\.ts:|at /)
})

test('a request that takes too long is told so, and nothing of it is echoed', async () => {
  const [socket, client] = duplexPair()
  refuseUnparsedRequest({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  const [answer] = await once(client, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
  client.destroy()
})

test.each([
  ['POST', '/api/server/time/get', 'GET'],
  ['GET', '/api/logs/add', 'POST'],
  ['DELETE', '/healthz', 'GET'],
  ['PUT', '/api/users/block/appeal', 'POST'],
  ['PATCH', '/chathub/negotiate', 'GET, POST'],
])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
  const headers = { accept: 'application/json' }
  const response = await newVisitor(server).fetch(path, { method, headers })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allow)
  expect(v.parse(problemSchema, await response.json())).toMatchObject({ status: 405 })
})

test('figures are for this machine alone, or for who has their token', async () => {
  const local = await start()
  expect((await fetch(`${local.origin}/metrics`)).status).toBe(200)
  for (const name of ['x-forwarded-for', 'forwarded', 'via'])
    expect((await fetch(`${local.origin}/metrics`, { headers: { [name]: '127.0.0.1' } })).status).toBe(403)

  const token = 'm'.repeat(32)
  const remote = await start({ METRICS_TOKEN: token })
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${remote.origin}/metrics`, { headers })).status
  expect(await status({})).toBe(401)
  expect(await status({ authorization: `Bearer ${token}x` })).toBe(401)
  expect(await status({ authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' })).toBe(200)
})

test('a visitor who goes no further leaves nothing in the store', async () => {
  const server = await start()
  const visitor = newVisitor(server)
  const id = await sessionOf(visitor)
  expect(await sessionOf(visitor)).toBe(id)
  await server.edit(async ({ loginSessions }) => expect(await loginSessions.find(id)).toBeNull())
  const entry = { DeviceType: 'Web', UserAppRunOn: 'x', UserDeviceName: 'x', UserDeviceOs: 'x' } as const
  await visitor.request('createSession', { ...entry, UserSessionId: id })
  await server.edit(async ({ loginSessions }) => expect(await loginSessions.find(id)).toMatchObject({ entered: true }))
})

test('a session that this server did not give is none', async () => {
  const server = await start()
  const visitor = newVisitor(server)
  const id = await sessionOf(visitor)
  const [, seal = ''] = visitor.cookies.get('session')?.split('.') ?? []
  for (const cookie of ['made-up', `made-up.${seal}`, `${id}.`, id, '.']) {
    visitor.cookies.set('session', cookie)
    expect([id, 'made-up', '']).not.toContain(await sessionOf(visitor))
  }
})
