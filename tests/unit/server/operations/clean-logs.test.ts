import { expect, test } from 'vitest'
import { LOG_MESSAGE_MAX, type LogEntry } from '#protocol/log-entry.ts'
import { cleanLogs } from '../../../../server/operations/http/service-routes.ts'

function entryOf(logMessage: string): LogEntry {
  return { userSessionId: 's', logMessage, logLevel: 'Info', platform: 'Web', dateTime: '2026-01-01T00:00:00Z' }
}

test('a full batch is cleaned in many turns of the event loop, in its order', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const sent = Array.from({ length: 64 }, (_, n) => entryOf(`${n} ada@example.org `.padEnd(LOG_MESSAGE_MAX, 'x ')))
  const cleaned = await cleanLogs(sent)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(15)
  expect(cleaned.map(({ logMessage }) => logMessage.split(' ', 2))).toEqual(sent.map((_, n) => [String(n), '<e-mail>']))
})

test('an empty batch stays empty', async () => {
  expect(await cleanLogs([])).toEqual([])
})
