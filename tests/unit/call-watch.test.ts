import { expect, test } from 'vitest'
import { createCallWatch } from '../../src/call/watch.ts'
import type { CallSample } from '../../src/domain/governor.ts'
import { sampleAt } from '../support/call/call-sample.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { silentLog } from '../support/silent-log.ts'

const COLLAPSED_KBPS = 100

/** A perfect call of 30 frames a second, whose statistics are read every other second. */
async function calmCall() {
  const clock = fakeClock()
  const sampled: CallSample[] = []
  let framesASecond = 30
  let shown = 0
  let availableKbps = 2_000
  let read = 0
  const watch = createCallWatch({ clock, log: silentLog(), onNetworkChange: () => () => {} })
  const peer = {
    async sample() {
      read += 1
      return sampleAt(clock.now() / 1_000, { availableKbps })
    },
  }
  watch.start(peer, {
    restart() {},
    giveUp() {},
    changed() {},
    sampled: (sample) => sampled.push(sample) > 0,
    isUrgent: (sample) => sample.availableKbps === COLLAPSED_KBPS,
    shownFrames: () => shown,
  })
  watch.arrived()
  /** Lets time pass in quarters of a second. Resolves with the number of readings and of samples handed on. */
  async function pass(seconds: number) {
    const before = { read, sampled: sampled.length }
    for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
      shown += framesASecond / 4
      clock.advance(250)
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    }
    return { read: read - before.read, sampled: sampled.length - before.sampled }
  }
  await pass(20)
  return {
    watch,
    pass,
    slowDown: (frames: number) => {
      framesASecond = frames
    },
    collapse: () => {
      availableKbps = COLLAPSED_KBPS
    },
  }
}

test('a picture that keeps its pace is read every other second', async () => {
  const { watch, pass } = await calmCall()
  expect(await pass(10)).toEqual({ read: 5, sampled: 5 })
  watch.stop()
})

test('a picture that slows down is read closely for three seconds, and handed on as before', async () => {
  const { watch, pass, slowDown } = await calmCall()
  slowDown(10)
  await pass(1)
  const { read, sampled } = await pass(3)
  expect(read).toBeGreaterThan(10)
  expect(sampled).toBeLessThanOrEqual(2)
  expect(await pass(10)).toEqual({ read: 5, sampled: 5 })
  watch.stop()
})

test('a sample that cannot wait is handed on within a quarter of a second, once', async () => {
  const { watch, pass, slowDown, collapse } = await calmCall()
  slowDown(0)
  await pass(1.25)
  collapse()
  expect((await pass(0.25)).sampled).toBe(1)
  expect((await pass(0.25)).sampled).toBe(0)
  watch.stop()
})

test('a peer who changes the pace all the time causes close readings every 15 seconds at most', async () => {
  const { watch, pass, slowDown } = await calmCall()
  let read = 0
  for (let second = 0; second < 30; second += 1) {
    slowDown(second % 2 === 0 ? 5 : 30)
    read += (await pass(1)).read
  }
  // 15 of them, and twice 12 more.
  expect(read).toBeLessThanOrEqual(15 + 24)
  watch.stop()
})

test('nothing is read closely after the end of the call', async () => {
  const { watch, pass, slowDown } = await calmCall()
  slowDown(0)
  await pass(1.25)
  watch.stop()
  expect(await pass(5)).toEqual({ read: 0, sampled: 0 })
})
