import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { LOG_BATCH_ENTRIES, VALID } from '#protocol/constants.ts'
import type { LogEntry } from '#protocol/log-entry.ts'
import { LOG_MESSAGE_MAX, TRACE_MARK } from '#protocol/log-entry.ts'
import { newVisitor, type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'

let server: TestServer
let ada: SignedInVisitor

beforeAll(async () => {
  server = await startServer({ CLIENT_LOGS: 'Error' })
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

function entryOf(person: SignedInVisitor, logLevel: LogEntry['logLevel']): LogEntry {
  return {
    userSessionId: person.sessionId,
    logMessage: `a line of ${logLevel}`,
    logLevel,
    platform: 'Web',
    dateTime: '2026-11-21T08:00:00Z',
  }
}

/** The levels that a server with this setting of client logs stores. */
async function keptWith(clientLogs: string): Promise<string[]> {
  const own = await startServer({ CLIENT_LOGS: clientLogs })
  onTestFinished(own.stop)
  const person = await signIn(own, { email: 'bob@example.org' })
  const lines = (['Info', 'Error', 'Exception'] as const).map((level) => entryOf(person, level))
  lines.push({ ...entryOf(person, 'Info'), logMessage: `${TRACE_MARK}a step` })
  expect(await person.request('addLogs', lines)).toBe(VALID)
  const { logEntries } = await person.request('exportData', undefined)
  return logEntries.map(({ level, message }) => (message === '[trace] a step' ? 'Trace' : level)).sort()
}

test.each([
  ['', []],
  ['Error', ['Error']],
  ['Trace', ['Trace']],
  ['Info,Exception', ['Exception', 'Info']],
  ['Trace,Info,Error,Exception', ['Error', 'Exception', 'Info', 'Trace']],
])('with CLIENT_LOGS=%s the levels %j are kept', async (clientLogs, levels) => {
  expect(await keptWith(clientLogs)).toEqual(levels)
})

test('while logs are off a batch is accepted with any entries, and refused if it is too long', async () => {
  const own = await startServer()
  onTestFinished(own.stop)
  const send = (entries: unknown[]) =>
    newVisitor(own).fetch('/api/logs/add', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(entries),
    })
  const answer = await send([{}, null, 'x'])
  expect([answer.status, await answer.text()]).toEqual([200, VALID])
  expect((await send(Array.from({ length: LOG_BATCH_ENTRIES + 1 }, () => 0))).status).toBe(400)
})

async function kept(...lines: string[]): Promise<string[]> {
  await ada.request(
    'addLogs',
    lines.map((logMessage) => ({
      userSessionId: ada.sessionId,
      logMessage,
      logLevel: 'Error' as const,
      platform: 'Web' as const,
      dateTime: '2026-11-21T08:00:00Z',
    })),
  )
  return (await ada.request('exportData', undefined)).logEntries.map(({ message }) => message)
}

test('log entries are stored without addresses, tokens and encoded data', async () => {
  const token = ada.cookies.get('access') ?? ''
  const refresh = ada.cookies.get('refresh') ?? ''
  const frame = Buffer.alloc(60, 7).toString('base64')
  const lines = await kept(
    'plain words',
    'for ada@example.org',
    `with ${token}`,
    `and ${refresh}`,
    `picture ${frame}`,
    'a'.repeat(5).concat(' e@x.yz').repeat(680).slice(0, LOG_MESSAGE_MAX),
  )
  expect(lines).toContain('plain words')
  const text = lines.join('\n')
  for (const secret of ['ada@example.org', token, refresh, frame, 'e@x.yz']) expect(text).not.toContain(secret)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(LOG_MESSAGE_MAX)
})
