import { describe, expect, test } from 'vitest'
import { type CallSample, type Path, type Reading, readBetween } from '../../../../src/call/rules/call-reading.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

const page = { hidden: false, longTaskMs: 0, ceilingKbps: null }
const unknown: Path = { sentKbps: null, roundTripMs: null }

/** The reading of the last of these samples, one second apart. */
function reading(...given: Partial<CallSample>[]): Reading {
  let path = unknown
  let last: Reading | null = null
  for (let index = 1; index < given.length; index += 1)
    [last, path] = readBetween(sampleAt(index - 1, given[index - 1]), sampleAt(index, given[index]), page, path)
  if (!last) throw new Error('Two samples make a reading')
  return last
}

describe('the estimate', () => {
  const sent = (kbps: number) => [{ bytesSent: 0 }, { bytesSent: (kbps * 1_000) / 8, availableKbps: 500 }]

  test('counts where most of it is sent, or where the browser says that it limits the picture', () => {
    expect(reading(...sent(400)).roomKbps).toBe(500)
    expect(reading(...sent(100)).roomKbps).toBeNull()
    const [before, now] = sent(100)
    expect(reading({ ...before }, { ...now, limitedBy: 'bandwidth' }).roomKbps).toBe(500)
    expect(reading({ ...before }, { ...now, limitedBy: 'cpu' }).roomKbps).toBeNull()
  })

  test('is none in a browser that has none', () => {
    expect(reading({}, { availableKbps: null, limitedBy: 'bandwidth' }).roomKbps).toBeNull()
  })
})

describe('the queue', () => {
  test('is what the round trip has grown by since its shortest', () => {
    expect(reading({}, { roundTripMs: 100 }, { roundTripMs: 400 }).queueMs).toBeGreaterThan(280)
    expect(reading({}, { roundTripMs: 400 }, { roundTripMs: 100 }).queueMs).toBe(0)
    expect(reading({}, { roundTripMs: null }, { roundTripMs: null })).toMatchObject({ roundTripMs: 0, queueMs: 0 })
  })

  test('is forgotten on a way that stays longer: it is another one', () => {
    const longer = Array.from({ length: 300 }, () => ({ roundTripMs: 400 }))
    expect(reading({}, { roundTripMs: 100 }, ...longer).queueMs).toBeLessThan(10)
  })
})

test('counters that start again, as those of another camera do, count as nothing', () => {
  const before = { packetsLost: 50, packetsReceived: 900, framesDropped: 40, encodeSeconds: 9, decodeSeconds: 9 }
  const now = { packetsLost: 0, packetsReceived: 0, framesDropped: 0, encodeSeconds: 0, decodeSeconds: 0 }
  expect(reading(before, now)).toMatchObject({ inLoss: 0, dropped: 0, coding: 0 })
})

test('of a few frames, as of stills, the share that was dropped says nothing', () => {
  const few = { framesDecoded: 10, framesDropped: 2 }
  expect(reading({ framesDecoded: 9, framesDropped: 0 }, few).dropped).toBe(0)
  expect(reading({ framesDecoded: 0, framesDropped: 0 }, few).dropped).toBeCloseTo(2 / 12)
})

test('loss is that of the picture where there is one, and that of the sound alone', () => {
  const sound = { audioPacketsReceived: 40, audioPacketsLost: 10 }
  const none = { audioPacketsReceived: 0, audioPacketsLost: 0, packetsReceived: 0, packetsLost: 0 }
  expect(reading(none, { ...sound, packetsReceived: 95, packetsLost: 5 }).inLoss).toBeCloseTo(0.05)
  expect(reading(none, { ...sound, packetsReceived: 0, packetsLost: 0 }).inLoss).toBeCloseTo(0.2)
  expect(reading(none, none).inLoss).toBe(0)
})
