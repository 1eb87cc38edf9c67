import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { LogLevel } from '#protocol/fields.ts'
import { LOG_MESSAGE_MAX, type LogEntry } from '#protocol/log-entry.ts'
import { createLogBatcher } from '#workers/network/log-batcher.ts'
import { emptyQueue, type LogQueue } from '#workers/network/log-queue.ts'
import { createMemoryLogStore, type LogStore } from '#workers/network/log-store.ts'
import { waitFor } from '../../support/wait-for.ts'

const levels: readonly LogLevel[] = ['Trace', 'Info', 'Error', 'Exception']

type Given = { on?: readonly LogLevel[]; store?: LogStore; answer?: (batch: LogEntry[]) => Promise<unknown> }

/** A batcher whose timers the test runs; `sent` lists the sent batches in order. */
function batcher({ on = levels, store = createMemoryLogStore(), answer = async () => 'ok' }: Given = {}) {
  const sent: { entries: LogEntry[]; key: string }[] = []
  const waits: number[] = []
  const repeating: { ms: number; task: () => void }[] = []
  const delayed: { ms: number; task: () => void }[] = []
  let ids = 0
  const logs = createLogBatcher({
    send(entries, key) {
      sent.push({ entries, key })
      return answer(entries)
    },
    store,
    clock: {
      now: () => Date.UTC(2026, 0, 1),
      wait: async (ms) => void waits.push(ms),
      after: (ms, task) => void delayed.push({ ms, task }),
      every: (ms, task) => void repeating.push({ ms, task }),
    },
    newId: () => `id-${++ids}`,
  })
  if (on.length > 0) logs.switchOn(on)
  const texts = () => sent.map(({ entries }) => entries.map((entry) => entry.logMessage))
  return { logs, sent, waits, repeating, delayed, texts }
}

/** A store with its content and the number of its changes. */
function watchedStore() {
  const memory = createMemoryLogStore()
  let changes = 0
  const store: LogStore = {
    change(step) {
      changes += 1
      return memory.change(step)
    },
  }
  const kept = () => memory.change((queue: LogQueue) => queue)
  return { store, kept, changes: () => changes }
}

const serverAway = () => Promise.reject(new AppError('network-error'))

test('with every level off nothing is recorded, stored or sent', async () => {
  const { store, kept, changes } = watchedStore()
  const { logs, sent } = batcher({ on: [], store })
  for (const level of levels) logs.add(level, 'secret')
  await logs.flush()
  expect(sent).toEqual([])
  expect(changes()).toBe(0)
  expect(await kept()).toEqual(emptyQueue)
})

test('switching off deletes queued entries, both stored and not yet stored', async () => {
  const { store, kept } = watchedStore()
  const { logs, sent } = batcher({ store, answer: serverAway })
  logs.add('Info', 'kept')
  await logs.flush()
  expect((await kept()).entries).toHaveLength(1)
  logs.add('Info', 'not yet kept')
  const before = sent.length
  logs.switchOn([])
  await logs.flush()
  expect(await kept()).toEqual(emptyQueue)
  logs.switchOn(levels)
  await logs.flush()
  expect(sent).toHaveLength(before)
})

test('a failed batch is not retried after every level was switched off', async () => {
  const { logs, sent } = batcher({
    answer: async () => {
      logs.switchOn([])
      throw new AppError('network-error')
    },
  })
  logs.add('Info', 'once')
  await logs.flush()
  expect(sent).toHaveLength(1)
})

test.for([...levels])('%s has a switch of its own', async (level) => {
  const { logs, texts } = batcher({ on: [level] })
  for (const each of levels) logs.add(each, each)
  await logs.flush()
  expect(texts()).toEqual([[level === 'Trace' ? '[trace] Trace' : level]])
})

test('a trace of the greatest length keeps its mark', async () => {
  const { logs, sent } = batcher({ on: ['Trace'] })
  logs.add('Trace', 'x '.repeat(LOG_MESSAGE_MAX / 2))
  await logs.flush()
  expect(sent[0]?.entries.map(({ logMessage }) => [logMessage.length, logMessage.slice(0, 9)])).toEqual([
    [LOG_MESSAGE_MAX, '[trace] x'],
  ])
})

test('an entry has session id, server time and level; a trace is sent as information with a mark', async () => {
  const { logs, sent } = batcher()
  logs.add('Trace', 'first')
  logs.identify({ userSessionId: 's1', clockOffsetMs: 60_000 })
  logs.add('Exception', 'second')
  await logs.flush()
  expect(sent[0]?.entries).toEqual([
    {
      userSessionId: 'New user',
      logMessage: '[trace] first',
      logLevel: 'Info',
      platform: 'Web',
      dateTime: '2026-01-01T00:00:00.000Z',
    },
    {
      userSessionId: 's1',
      logMessage: 'second',
      logLevel: 'Exception',
      platform: 'Web',
      dateTime: '2026-01-01T00:01:00.000Z',
    },
  ])
})

test('entries are stored together, a second after the first of them', async () => {
  const { store, kept, changes } = watchedStore()
  const { logs, delayed } = batcher({ store })
  await logs.flush()
  const before = changes()
  for (let line = 0; line < 100; line += 1) logs.add('Info', String(line))
  expect(changes()).toBe(before)
  expect(delayed.map(({ ms }) => ms)).toEqual([1_000])
  delayed[0]?.task()
  expect(changes()).toBe(before + 1)
  expect((await kept()).entries).toHaveLength(100)
  logs.add('Info', 'later')
  expect(delayed).toHaveLength(2)
})

test('a batch is sent every 180 seconds', async () => {
  const { logs, repeating, texts } = batcher()
  logs.add('Info', 'a')
  expect(repeating.map(({ ms }) => ms)).toEqual([180_000])
  repeating[0]?.task()
  await logs.flush()
  expect(texts()).toEqual([['a']])
})

test('a failed batch is tried three times, and later sent again unchanged, under its key', async () => {
  let away = true
  const { logs, sent, texts, waits } = batcher({ answer: () => (away ? serverAway() : Promise.resolve('ok')) })
  logs.add('Info', 'a')
  await logs.flush()
  expect(waits).toEqual([1_000, 2_000])
  away = false
  logs.add('Info', 'b')
  await logs.flush()
  expect(texts()).toEqual([['a'], ['a'], ['a'], ['a'], ['b']])
  expect(new Set(sent.slice(0, 4).map(({ key }) => key)).size).toBe(1)
  expect(sent[4]?.key).not.toBe(sent[3]?.key)
})

test('entries that a visit could not send are sent by the next one, under the same key', async () => {
  const { store, kept } = watchedStore()
  const first = batcher({ store, answer: serverAway })
  first.logs.add('Info', 'a')
  await first.logs.flush()
  const second = batcher({ store })
  await waitFor(() => expect(second.texts()).toEqual([['a']]))
  await second.logs.flush()
  expect(second.sent[0]?.key).toBe(first.sent[0]?.key)
  expect(await kept()).toEqual(emptyQueue)
})

test('two tabs that send the same batch use one key, and lose no entries', async () => {
  const { store, kept } = watchedStore()
  const tabs = [batcher({ store, answer: serverAway }), batcher({ store })] as const
  tabs[0].logs.add('Info', 'of the first')
  await tabs[0].logs.flush()
  tabs[1].logs.add('Info', 'of the second')
  await Promise.all([tabs[0].logs.flush(), tabs[1].logs.flush()])
  expect(tabs[1].texts()).toEqual([['of the first'], ['of the second']])
  expect(tabs[1].sent[0]?.key).toBe(tabs[0].sent[0]?.key)
  expect(await kept()).toEqual(emptyQueue)
})

const refusing = (status: number) => () => Promise.reject(new AppError('unknown', 'no', { status }))

test.for([400, 413, 499])('a batch that the server rejects permanently, with %i, is dropped', async (status) => {
  const { logs, texts } = batcher({ answer: refusing(status) })
  logs.add('Info', 'a')
  await logs.flush()
  await logs.flush()
  expect(texts()).toEqual([['a']])
})

test.for([399, 408, 429, 500, 503])('a batch that may succeed later, after %i, is kept', async (status) => {
  const { store, kept } = watchedStore()
  const { logs, texts } = batcher({ store, answer: refusing(status) })
  logs.add('Info', 'a')
  await logs.flush()
  expect(texts()).toEqual([['a'], ['a'], ['a']])
  expect((await kept()).entries).toHaveLength(1)
})

test('an entry that arrives while a batch is being sent is in the next one', async () => {
  const { logs, texts } = batcher({
    answer: async ([first]) => {
      if (first?.logMessage === 'a') logs.add('Info', 'b')
    },
  })
  logs.add('Info', 'a')
  await Promise.all([logs.flush(), logs.flush()])
  expect(texts()).toEqual([['a'], ['b']])
})

test('a batch has at most 1,000 entries and 512 KB', async () => {
  const { logs, sent } = batcher()
  for (let index = 0; index < 1_500; index += 1) logs.add('Info', 'a')
  for (let index = 0; index < 40; index += 1) logs.add('Info', '€'.repeat(10_000))
  await logs.flush()
  expect(sent.flatMap(({ entries }) => entries)).toHaveLength(1_540)
  for (const { entries } of sent) {
    expect(entries.length).toBeLessThanOrEqual(1_000)
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThanOrEqual(512 * 1024)
  }
})

test('the number of stored entries is limited', async () => {
  let away = true
  const { logs, sent } = batcher({ answer: () => (away ? serverAway() : Promise.resolve('ok')) })
  for (let index = 0; index < 6_000; index += 1) logs.add('Info', String(index))
  await logs.flush()
  away = false
  sent.length = 0
  await logs.flush()
  expect(sent.flatMap(({ entries }) => entries)).toHaveLength(5_000)
})
