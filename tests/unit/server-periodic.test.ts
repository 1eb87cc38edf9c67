import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { periodically } from '../../server/periodic.ts'
import { fakeClock } from '../support/fake-clock.ts'

const log = pino({ level: 'silent' })

test('a job runs at once and again and again, also after a fault, until it is stopped', async () => {
  const clock = fakeClock()
  let runs = 0
  const task = async () => {
    runs += 1
    if (runs === 2) throw new Error('a fault')
  }
  const stop = periodically(clock, log, { what: 'the test', everyMs: 1_000, task })
  for (const expected of [1, 2, 3]) {
    await vi.waitFor(() => expect([runs, clock.waiting()]).toEqual([expected, 1]))
    clock.advance(1_000)
  }
  await vi.waitFor(() => expect([runs, clock.waiting()]).toEqual([4, 1]))
  await stop()
  clock.advance(10_000)
  expect([runs, clock.waiting()]).toEqual([4, 0])
})

test('a run that is on is told to end, waited for, and not followed by another', async () => {
  const clock = fakeClock()
  const held = Promise.withResolvers<void>()
  const seen: boolean[] = []
  const task = async (stopping: AbortSignal) => {
    await held.promise
    seen.push(stopping.aborted)
  }
  const stop = periodically(clock, log, { what: 'the test', everyMs: 1_000, task })
  const stopped = stop()
  held.resolve()
  await stopped
  expect(seen).toEqual([true])
  expect(clock.waiting()).toBe(0)
})
