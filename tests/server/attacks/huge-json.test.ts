import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ANONYMOUS_LIMIT, JSON_LIMIT } from '#protocol/constants.ts'
import {
  announceBody,
  EMPTY_ENTRIES_OF_A_BATCH,
  postJson,
  postTo,
  sendDeepJson,
  sendHugeLogBatch,
  sendHugeLogBatches,
  sendLongText,
  sendManyKeys,
  sendManyParts,
  sendPrototypeKey,
} from '../../support/attacks/huge-json.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'

/** A sixth of the memory that one batch needed while every issue of every entry was collected. */
const GROWTH_MB = 100

let server: TestServer
let small: ServerProcess

beforeAll(async () => {
  server = await startServer({ CLIENT_LOGS: 'Info' })
  small = await startServerProcess({ CLIENT_LOGS: 'Info', NODE_OPTIONS: '--max-old-space-size=256' })
})
afterAll(async () => {
  await server.stop()
  await small.stop()
})

/** The headers of a signed-in user, who may send larger bodies than a visitor without a login. */
async function loginAt(origin: string): Promise<{ cookie: string }> {
  const { cookies } = await signIn({ origin }, { email: 'mallory@example.org' })
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

function mostMemoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const batchTooLong = {
  status: 400,
  text: expect.stringContaining('"detail":"A log batch has at most 1000 entries"'),
}

test('a log batch of empty objects is refused for its length', async () => {
  expect(await sendHugeLogBatch(server.origin, 20_000)).toMatchObject(batchTooLong)
})

test('full log batches at the same time need little memory', async () => {
  const login = await loginAt(small.url)
  const before = mostMemoryMb(small.pid)
  const answers = await sendHugeLogBatches(small.url, 3, EMPTY_ENTRIES_OF_A_BATCH, login)
  for (const answer of answers) expect(answer).toMatchObject(batchTooLong)
  expect(mostMemoryMb(small.pid) - before).toBeLessThan(GROWTH_MB)
})

test.each([
  ['logs/add', 60],
  ['moderation/login', 10],
])('above its rate limit %s is refused before its body arrives', async (path, rate) => {
  const own = await startServer()
  onTestFinished(own.stop)
  for (let n = 0; n < rate; n += 1) expect((await postJson(own.origin, path, '{}')).status).toBe(400)
  expect(await announceBody(own.origin, path)).toBe(429)
})

test('a body whose Content-Length is too large does not count against the rate limit', async () => {
  const own = await startServer()
  onTestFinished(own.stop)
  const large = JSON.stringify(' '.repeat(JSON_LIMIT))
  for (let n = 0; n < 11; n += 1) expect((await postJson(own.origin, 'moderation/login', large)).status).toBe(413)
  expect((await postJson(own.origin, 'moderation/login', '{}')).status).toBe(400)
})

test('the response to a long text is short, and names the field', async () => {
  const { status, text } = await sendLongText(server.origin, 200_000, await loginAt(server.origin))
  expect(status).toBe(400)
  expect(text).toContain('"field":"0.logLevel"')
  expect(text.length).toBeLessThan(1_000)
})

test('an oversized query, cookie or idempotency key is accepted or refused without a fault', async () => {
  expect(await sendManyParts(server.origin, 'query', 800)).toBe(200)
  expect(await sendManyParts(server.origin, 'query', 2_000)).toBe(414)
  expect(await sendManyParts(server.origin, 'cookie', 2_000)).toBe(200)
  const entry = { userSessionId: 's', logMessage: '', logLevel: 'Info', platform: 'Web' }
  const batch = JSON.stringify([{ ...entry, dateTime: '2026-01-01T00:00:00Z' }])
  const answer = await postJson(server.origin, 'logs/add', batch, { 'idempotency-key': 'k'.repeat(10_000) })
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('"field":"Idempotency-Key"') })
})

test.each(['/chathub/negotiate', '/dev-identity/token', '/api/nothing', '/nothing', '/healthz'])(
  'a large body for %s is not read',
  async (path) => {
    const { status } = await postTo(server.origin, path, JSON.stringify('x'.repeat(900_000)))
    expect([405, 413]).toContain(status)
  },
)

test('nested arrays and many keys are refused as invalid', async () => {
  const login = await loginAt(server.origin)
  expect((await sendDeepJson(server.origin, 100_000, login)).status).toBe(400)
  expect((await sendManyKeys(server.origin, 25_000, login)).status).toBe(400)
  expect((await sendPrototypeKey(server.origin)).status).toBe(400)
  expect((await sendDeepJson(server.origin, JSON_LIMIT, login)).status).toBe(413)
  expect((await sendDeepJson(server.origin, ANONYMOUS_LIMIT)).status).toBe(413)
})
