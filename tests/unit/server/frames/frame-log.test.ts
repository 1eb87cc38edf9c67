import { expect, test } from 'vitest'
import { createFrameLog } from '../../../../server/frames/rules/frame-log.ts'
import type { FrameRecord } from '../../../../server/frames/rules/ports.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const frame = (at: number): FrameRecord => ({
  accountId: 'ada',
  sessionId: 's',
  kind: 'dashboard',
  bytes: 9,
  width: 4,
  height: 3,
  at,
})

function logForTest() {
  const clock = fakeClock(0)
  const writes: number[][] = []
  const faults: unknown[] = []
  const records = { isAway: false }
  const log = createFrameLog({
    clock,
    records: {
      async record(frames) {
        if (records.isAway) throw new Error('away')
        writes.push(frames.map(({ at }) => at))
      },
    },
    fault: (error) => faults.push(error),
  })
  /** Lets pending promises settle. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const notes = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) log.record(frame(at))
  }
  return { clock, log, writes, faults, records, settle, notes }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

test('the records of a second are one write, and a second without records none', async () => {
  const { clock, writes, settle, notes } = logForTest()
  notes(0, 3)
  expect(writes).toEqual([])
  clock.advance(1_000)
  await settle()
  clock.advance(10_000)
  await settle()
  notes(3, 4)
  clock.advance(1_000)
  await settle()
  expect(writes).toEqual([[0, 1, 2], [3]])
})

test('a hundred records are written at once', async () => {
  const { writes, settle, notes } = logForTest()
  notes(0, 100)
  await settle()
  expect(writes).toEqual([numbers(0, 100)])
})

test('a failed write is retried, in order and once; of too many records the newest stay', async () => {
  const { clock, writes, faults, records, settle, notes } = logForTest()
  records.isAway = true
  notes(0, 99)
  clock.advance(1_000)
  await settle()
  notes(99, 10_300)
  clock.advance(1_000)
  await settle()
  expect(faults.length).toBeGreaterThanOrEqual(2)
  records.isAway = false
  clock.advance(1_000)
  await settle()
  expect(writes.flat()).toEqual(numbers(300, 10_300))
  expect(Math.max(...writes.map((write) => write.length))).toBe(500)
})

test('stop writes the records that wait', async () => {
  const { log, writes, notes } = logForTest()
  notes(0, 2)
  await log.stop()
  expect(writes).toEqual([[0, 1]])
})
