import { expect, test } from 'vitest'
import { createRoutine, type Stopping } from '../../server/platform/rules/routine.ts'
import { fakeClock } from '../support/fake-clock.ts'

/** A routine whose runs end when the test says so. */
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

test('it runs soon, never two at a time, and again so long after the end of a run', async () => {
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

test('the first run can come at once', async () => {
  const { clock, runs, settled } = routine(0)
  expect(runs).toHaveLength(1)
  runs[0]?.end(true)
  await settled()
  clock.advance(100)
  expect(runs).toHaveLength(2)
})

test('after a fault it tries again sooner, whether the task says so or throws', async () => {
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

test('stopping waits for the run that is under way, tells it, and none follows', async () => {
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

test('one that is stopped before its first run never runs', async () => {
  const { stop, clock, runs } = routine()
  await stop()
  clock.advance(1_000)
  expect(runs).toEqual([])
})
