import { expect, test } from 'vitest'
import { createRoutine, type Stopping } from '../../../../server/platform/rules/routine.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

/** A routine whose runs are ended by the test. */
function routine(firstMs = 10) {
  const clock = fakeClock()
  const runs: { end: (well: boolean) => void; fail: (error: Error) => void; stopping: Stopping }[] = []
  const faults: unknown[] = []
  const made = createRoutine({
    clock,
    firstMs,
    everyMs: 100,
    retryMs: 10,
    task: (stopping) => new Promise((resolve, reject) => void runs.push({ end: resolve, fail: reject, stopping })),
    fault: (error) => void faults.push(error),
  })
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  made.start()
  return { ...made, clock, runs, faults, settled }
}

test('it runs after the first delay, never twice at a time, and again an interval after the end of a run', async () => {
  const { clock, runs, settled } = routine()
  clock.advance(9)
  expect(runs).toHaveLength(0)
  clock.advance(1_000)
  expect(runs).toHaveLength(1)
  runs[0]?.end(true)
  await settled()
  clock.advance(99)
  expect(runs).toHaveLength(1)
  clock.advance(1)
  expect(runs).toHaveLength(2)
})

test('the first run can start at once', async () => {
  const { clock, runs, settled } = routine(0)
  expect(runs).toHaveLength(1)
  runs[0]?.end(true)
  await settled()
  clock.advance(100)
  expect(runs).toHaveLength(2)
})

test('after a fault it retries sooner, whether the task resolves with false or rejects', async () => {
  const { clock, runs, faults, settled } = routine()
  clock.advance(10)
  runs[0]?.end(false)
  await settled()
  clock.advance(10)
  runs[1]?.fail(new Error('no disk'))
  await settled()
  expect(faults).toEqual([new Error('no disk')])
  clock.advance(10)
  expect(runs).toHaveLength(3)
})

test('stop signals the current run, waits for its end, and starts no other', async () => {
  const { stop, clock, runs, settled } = routine()
  clock.advance(10)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await settled()
  expect([stopped, runs[0]?.stopping()]).toEqual([false, true])
  runs[0]?.end(true)
  await stopping
  clock.advance(1_000)
  expect([stopped, runs.length, clock.waiting()]).toEqual([true, 1, 0])
})

test('a routine that is stopped before its first run never runs', async () => {
  const { stop, clock, runs } = routine()
  await stop()
  clock.advance(1_000)
  expect(runs).toEqual([])
})
