import { createStore, del, get, type UseStore } from 'idb-keyval'
import { afterEach, expect, test } from 'vitest'
import { DATABASE } from '#protocol/constants.ts'
import { createLog } from '../../../src/platform/io/network.ts'
import { openRoom, problem } from '../../support/browser/api-room.ts'
import type { Script } from '../../support/browser/scripted-response.ts'
import { startWorkers } from '../../support/browser/test-workers.ts'

const KEY = 'AppLogs'
const store: UseStore = createStore(DATABASE.name, DATABASE.store)
afterEach(() => del(KEY, store))

const away = problem(503, 'unavailable', {})

async function visit(script: Script) {
  const room = await openRoom(script)
  const workers = startWorkers({ baseUrl: room.baseUrl })
  const log = createLog(workers, ['Info', 'Error', 'Exception'])
  const batches = async () =>
    (await room.seen('logs/add')).map(({ body, headers }) => ({
      key: headers['idempotency-key'],
      lines: (JSON.parse(atob(body)) as { logMessage: string }[]).map(({ logMessage }) => logMessage),
    }))
  return { ...room, workers, log, batches }
}

test('entries are stored for the next visit, sent again under the same key, and then deleted', async () => {
  const first = await visit({ 'logs/add': [{ fault: 'at-once' }] })
  first.log.info('one')
  first.log.info('two')
  first.log.flush()
  await expect.poll(async () => (await first.batches()).length).toBe(1)
  // The tab is closed before the server has responded.
  first.workers.stop()
  expect(await get(KEY, store)).toMatchObject({ entries: [{ logMessage: 'one' }, { logMessage: 'two' }] })

  const second = await visit({ 'logs/add': [{ text: 'ok' }] })
  // Any request starts the worker, which then sends the stored entries.
  second.log.identify({ userSessionId: 's2', clockOffsetMs: 0 })
  await expect.poll(async () => (await second.batches()).length).toBe(1)
  expect(await second.batches()).toEqual(await first.batches())
  await expect.poll(() => get(KEY, store)).toEqual({ entries: [], batch: null })
})

test('an entry that is never flushed is stored soon after it was written', async () => {
  const { log, batches } = await visit({ 'logs/add': [away] })
  log.info('left behind')
  await expect
    .poll(async () => ((await get(KEY, store)) as { entries?: object[] } | undefined)?.entries)
    .toMatchObject([{ logMessage: 'left behind' }])
  expect(await batches()).toEqual([])
})

test('two tabs that flush at once lose and duplicate nothing', async () => {
  const room = await openRoom({ 'logs/add': [{ text: 'ok' }] })
  const tabs = [startWorkers({ baseUrl: room.baseUrl }), startWorkers({ baseUrl: room.baseUrl })]
  const logs = tabs.map((workers) => createLog(workers, ['Info']))
  for (let line = 0; line < 50; line += 1) logs.forEach((log, tab) => void log.info(`tab ${tab} line ${line}`))
  await Promise.all(tabs.map((workers) => workers.network().flushLogs()))
  await Promise.all(tabs.map((workers) => workers.network().flushLogs()))
  const taken = new Map<string, string[]>()
  for (const { body, headers } of await room.seen('logs/add')) {
    const lines = (JSON.parse(atob(body)) as { logMessage: string }[]).map(({ logMessage }) => logMessage)
    // The server stores each key once.
    taken.set(headers['idempotency-key'] ?? '', lines)
  }
  const lines = [...taken.values()].flat()
  expect(lines).toHaveLength(100)
  expect(new Set(lines).size).toBe(100)
})

test('with every level off no entry reaches the worker and nothing is stored', async () => {
  const room = await openRoom({ 'logs/add': [{ text: 'ok' }] })
  const workers = startWorkers({ baseUrl: room.baseUrl })
  const log = createLog(workers, [])
  log.identify({ userSessionId: 's1', clockOffsetMs: 0 })
  log.error('no worker')
  log.flush()
  expect(workers.started.network).toHaveLength(0)
  expect(await get(KEY, store)).toBeUndefined()
})

test.each([
  ['sent when its level is on', ['Error'], 1],
  ['dropped when it is off', [], 0],
] as const)('an entry before the levels are known is %s', async (_, levels, batches) => {
  const room = await openRoom({ 'logs/add': [{ text: 'ok' }] })
  const workers = startWorkers({ baseUrl: room.baseUrl })
  const log = createLog(workers, null)
  log.error('the start failed')
  expect(workers.started.network).toHaveLength(0)
  log.switchTo(levels)
  await workers.network().flushLogs()
  const seen = await room.seen('logs/add')
  expect(seen.map(({ body }) => JSON.parse(atob(body))[0].logMessage)).toEqual(
    Array.from({ length: batches }, () => 'the start failed'),
  )
})

test('a batch that the server rejects is not sent again', async () => {
  const { log, workers, batches } = await visit({ 'logs/add': [problem(400, 'bad-request')] })
  log.info('odd')
  await workers.network().flushLogs()
  await workers.network().flushLogs()
  expect(await batches()).toHaveLength(1)
})
