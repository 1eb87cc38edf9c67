import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOG_MESSAGE_MAX } from '#protocol/log-entry.ts'
import { type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let ada: SignedInVisitor

beforeAll(async () => {
  server = await startServer()
  ada = await signIn(server, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

async function kept(...lines: string[]): Promise<string[]> {
  await ada.call(
    'addLogs',
    lines.map((logMessage) => ({
      userSessionId: ada.sessionId,
      logMessage,
      logLevel: 'Error' as const,
      platform: 'Web' as const,
      dateTime: '2026-11-21T08:00:00Z',
    })),
  )
  return (await ada.call('exportData', undefined)).logEntries.map(({ message }) => message)
}

test('what a browser sends in is kept without addresses, tokens and encoded data, whoever wrote it', async () => {
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
