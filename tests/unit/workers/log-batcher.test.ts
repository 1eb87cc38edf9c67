import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { LogEntry } from '#protocol/rest.ts'
import { createLogBatcher, type LogSwitches, logsOff } from '#workers/network/log-batcher.ts'

const allOn: LogSwitches = { Trace: true, Info: true, Error: true, Exception: true }

function batcher(
  switches: LogSwitches | undefined,
  answer: (batch: LogEntry[]) => Promise<unknown> = async () => 'ok',
) {
  const batches: LogEntry[][] = []
  const waits: number[] = []
  const tasks: { ms: number; task: () => void }[] = []
  const logs = createLogBatcher(
    (batch) => {
      batches.push([...batch])
      return answer(batch)
    },
    {
      now: () => Date.UTC(2026, 0, 1),
      wait: async (ms) => void waits.push(ms),
      every: (ms, task) => void tasks.push({ ms, task }),
    },
    switches,
  )
  return { logs, batches, waits, tasks, texts: () => batches.map((batch) => batch.map((entry) => entry.logMessage)) }
}

const serverAway = () => Promise.reject(new AppError('network-error'))

test('everything is off unless switched on', async () => {
  const { logs, batches } = batcher(undefined)
  for (const level of ['Trace', 'Info', 'Error', 'Exception'] as const) logs.add(level, 'secret')
  await logs.flush()
  expect(batches).toEqual([])
})

test.for(['Trace', 'Info', 'Error', 'Exception'] as const)('%s has a switch of its own', async (level) => {
  const { logs, texts } = batcher({ ...logsOff, [level]: true })
  for (const each of ['Trace', 'Info', 'Error', 'Exception'] as const) logs.add(each, each)
  await logs.flush()
  expect(texts()).toEqual([[level]])
})

test('an entry says who, when by the server clock, and how bad; a trace goes as information', async () => {
  const { logs, batches } = batcher(allOn)
  logs.add('Trace', 'first')
  logs.identify({ userSessionId: 's1', clockOffsetMs: 60_000 })
  logs.add('Exception', 'second')
  await logs.flush()
  expect(batches[0]).toEqual([
    {
      userSessionId: 'New user',
      logMessage: 'first',
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

test('a batch leaves every 180 seconds', async () => {
  const { logs, tasks, texts } = batcher(allOn)
  logs.add('Info', 'a')
  expect(tasks.map(({ ms }) => ms)).toEqual([180_000])
  tasks[0]?.task()
  await logs.flush()
  expect(texts()).toEqual([['a']])
})

test('a batch is tried three times, then kept for the next flush, in order', async () => {
  let away = true
  const { logs, texts, waits } = batcher(allOn, () => (away ? serverAway() : Promise.resolve('ok')))
  logs.add('Info', 'a')
  await logs.flush()
  expect(waits).toEqual([1_000, 2_000])
  away = false
  logs.add('Info', 'b')
  await logs.flush()
  expect(texts()).toEqual([['a'], ['a'], ['a'], ['a', 'b']])
})

test('a batch that the server refuses for what it is, is dropped', async () => {
  const { logs, texts } = batcher(allOn, () => Promise.reject(new AppError('bad-request', 'no', { status: 400 })))
  logs.add('Info', 'a')
  await logs.flush()
  await logs.flush()
  expect(texts()).toEqual([['a']])
})

test('an entry that comes while a batch is on its way leaves in the next one', async () => {
  const { logs, texts } = batcher(allOn, async (batch) => {
    if (batch[0]?.logMessage === 'a') logs.add('Info', 'b')
  })
  logs.add('Info', 'a')
  await Promise.all([logs.flush(), logs.flush()])
  expect(texts()).toEqual([['a'], ['b']])
})

test('a batch has at most 1,000 entries and 512 KB', async () => {
  const { logs, batches } = batcher(allOn)
  for (let index = 0; index < 1_500; index += 1) logs.add('Info', 'a')
  for (let index = 0; index < 40; index += 1) logs.add('Info', '€'.repeat(10_000))
  await logs.flush()
  expect(batches.flat()).toHaveLength(1_540)
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(1_000)
    expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThanOrEqual(512 * 1024)
  }
})

test('while the server is away, memory has a limit', async () => {
  let away = true
  const { logs, batches } = batcher(allOn, () => (away ? serverAway() : Promise.resolve('ok')))
  for (let index = 0; index < 6_000; index += 1) logs.add('Info', String(index))
  await logs.flush()
  away = false
  batches.length = 0
  await logs.flush()
  expect(batches.flat()).toHaveLength(5_000)
})
