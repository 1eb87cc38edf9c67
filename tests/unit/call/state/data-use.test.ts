import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDataUseStore, type DataUse } from '../../../../src/call/state/data-use.ts'

const KB = 1_000

/** Takes a sample a second, from `from` to `to` inclusive, of a peer connection that stands since `since`. */
function run(
  store: ReturnType<typeof createDataUseStore>,
  { from, to, since = 0, bytesPerSecond }: Record<'from' | 'to' | 'bytesPerSecond', number> & { since?: number },
): DataUse | null {
  for (let second = from; second <= to; second += 1)
    store.take({
      at: 7_000_000 + second * 1_000,
      bytesOnWire: (second - since) * bytesPerSecond,
    })
  return store.used.value
}

const evenly = { bytesPerSecond: 100 * KB }

test('outside a call there is nothing to show', () => {
  expect(createDataUseStore().used.value).toBeNull()
})

test('the megabytes of both directions, and after five seconds an estimate of an hour', () => {
  const store = createDataUseStore()
  expect(run(store, { from: 0, to: 4, ...evenly })).toEqual({ megabytes: 0.4, hourly: null })
  expect(run(store, { from: 5, to: 5, ...evenly })).toEqual({ megabytes: 0.5, hourly: 360 })
  expect(run(store, { from: 6, to: 124, ...evenly })).toEqual({ megabytes: 12.4, hourly: 360 })
})

test('what was counted before the first sample belongs to the call', () => {
  const store = createDataUseStore()
  store.take({ at: 0, bytesOnWire: 2_000 * KB })
  expect(store.used.value).toEqual({ megabytes: 2, hourly: null })
})

test('the estimate is that of the last thirty seconds', () => {
  const store = createDataUseStore()
  run(store, { from: 0, to: 60, ...evenly })
  for (let second = 61; second <= 90; second += 1)
    store.take({
      at: 7_000_000 + second * 1_000,
      bytesOnWire: 60 * 100 * KB + (second - 60) * 10 * KB,
    })
  expect(store.used.value).toEqual({ megabytes: 6.3, hourly: 36 })
})

test('samples that come every two seconds give the same estimate', () => {
  const store = createDataUseStore()
  for (let second = 0; second <= 120; second += 2) store.take({ at: second * 1_000, bytesOnWire: second * 100 * KB })
  expect(store.used.value).toEqual({ megabytes: 12, hourly: 360 })
})

test('a sample after a long pause still has an estimate', () => {
  const store = createDataUseStore()
  for (const second of [0, 10, 60]) store.take({ at: second * 1_000, bytesOnWire: second * 100 * KB })
  expect(store.used.value).toEqual({ megabytes: 6, hourly: 360 })
})

test('the next call starts at zero', () => {
  const store = createDataUseStore()
  run(store, { from: 0, to: 60, ...evenly })
  store.stop()
  expect(store.used.value).toBeNull()
  expect(run(store, { from: 100, to: 103, since: 100, ...evenly })).toEqual({ megabytes: 0.3, hourly: null })
})

test('all of the next call counts, also when the one before was short', () => {
  const store = createDataUseStore()
  store.take({ at: 0, bytesOnWire: 800 * KB })
  store.stop()
  store.take({ at: 10_000, bytesOnWire: 2_000 * KB })
  expect(store.used.value).toEqual({ megabytes: 2, hourly: null })
})

test.each([
  [34_300, 120],
  [2_640, 10],
  [2_000, 7],
  [20, 0],
])('%i bytes a second are shown as about %i MB an hour', (bytesPerSecond, hourly) => {
  const used = run(createDataUseStore(), { from: 0, to: 30, bytesPerSecond })
  expect(used?.hourly).toBe(hourly)
})

test('counters that start again are added to what was counted before', () => {
  const store = createDataUseStore()
  run(store, { from: 0, to: 60, ...evenly })
  expect(run(store, { from: 61, to: 120, since: 60, ...evenly })).toEqual({ megabytes: 12, hourly: 360 })
})

test('a series of samples never shows less than before, nor less than what its counters say', () => {
  const grown = fc.record({
    ms: fc.integer({ min: 0, max: 5_000 }),
    bytes: fc.nat(10_000_000),
  })
  fc.assert(
    fc.property(fc.array(grown, { minLength: 1, maxLength: 80 }), (steps) => {
      const store = createDataUseStore()
      let sample = { at: 0, bytesOnWire: 0 }
      let before = 0
      for (const { ms, bytes } of steps) {
        sample = { at: sample.at + ms, bytesOnWire: sample.bytesOnWire + bytes }
        store.take(sample)
        const { megabytes = -1, hourly = -1 } = store.used.value ?? {}
        expect(megabytes).toBeGreaterThanOrEqual(before)
        expect(megabytes).toBeCloseTo(sample.bytesOnWire / 1e6, 0)
        expect(hourly === null || (Number.isInteger(hourly) && hourly >= 0)).toBe(true)
        before = megabytes
      }
    }),
  )
})

test('tells its readers of a change only when a number that is shown is another', () => {
  const store = createDataUseStore()
  const seen: (DataUse | null)[] = []
  const stop = store.used.subscribe((used) => void seen.push(used))
  const little = { bytesPerSecond: 10 * KB }
  run(store, { from: 0, to: 59, ...little })
  expect(seen).toEqual([
    null,
    { megabytes: 0, hourly: null },
    ...[0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((megabytes) => ({ megabytes, hourly: 36 })),
  ])
  stop()
})
