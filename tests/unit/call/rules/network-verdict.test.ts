import { describe, expect, test } from 'vitest'
import type { Reading } from '../../../../src/call/rules/call-reading.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { firstStep, networkVerdict, START_READINGS } from '../../../../src/call/rules/network-verdict.ts'
import { noRecovery } from '../../../../src/call/rules/recovery.ts'
import { topRung } from '../../../../src/call/rules/rungs.ts'
import { networkSteps } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

type Given = Partial<Pick<Reading, 'roomKbps' | 'queueMs' | 'roundTripMs' | 'outLoss'>> & {
  /** Estimates in kbit/s: now, one reading before, and the best of the call. Null: the browser has none. */
  estimate?: number | null
  estimateBefore?: number
  best?: number
  roundTripBefore?: number
  age?: number
}

/** What a reading says of the step `level`. Without more: nothing is pressed, no queue, and the call is not young. */
function verdict(level: number, given: Given = {}) {
  const { roomKbps = null, queueMs = 0, roundTripMs = 60, outLoss = 0, best = 300, age = 100 } = given
  const { estimate = roomKbps ?? 300, roundTripBefore = 60 } = given
  const { estimateBefore = estimate } = given
  const reading: Reading = {
    roomKbps,
    queueMs,
    roundTripMs,
    outLoss,
    inLoss: 0,
    busy: 0,
    coding: 0,
    dropped: 0,
    limitedBy: 'none',
  }
  return networkVerdict(reading, sampleAt(1, { availableKbps: estimate, roundTripMs }), {
    ...governorStart,
    network: { ...topRung, level },
    recovery: { ...noRecovery, best },
    last: sampleAt(0, { availableKbps: estimateBefore, roundTripMs: roundTripBefore }),
    age,
  })
}

const { wide, narrow, still, soundOnly } = networkSteps

describe('the first step', () => {
  test.each([
    [null, wide],
    [60, wide],
    [600, wide],
    [800, narrow],
    [2_000, still],
  ])('after a round trip of %s ms is %i', (roundTripMs, level) => {
    expect(firstStep(sampleAt(0, { roundTripMs }))).toEqual({ ...topRung, level })
  })
})

describe('with the free picture', () => {
  test.each<[string, Given, string]>([
    ['an estimate that nothing presses on', {}, 'good'],
    ['an estimate that carries both', { roomKbps: 300 }, 'good'],
    ['an estimate that does not carry both', { roomKbps: 90 }, 'bad'],
    ['in the first readings an estimate far below', { roomKbps: 50, age: START_READINGS - 1 }, 'urgent'],
    ['later an estimate far below', { roomKbps: 50, age: START_READINGS }, 'bad'],
    ['a full queue and a low estimate', { roomKbps: 250, roundTripMs: 1_400 }, 'urgent'],
    ['a full queue alone', { roomKbps: 2_000, roundTripMs: 1_400 }, 'good'],
    ['heavy loss that lowers the estimate', { roomKbps: 50, outLoss: 0.3 }, 'good'],
    ['heavy loss with a queue', { roomKbps: 50, outLoss: 0.3, queueMs: 500 }, 'bad'],
    ['heavy loss with a long round trip', { roomKbps: 50, outLoss: 0.3, roundTripMs: 900 }, 'bad'],
    ['light loss', { roomKbps: 50, outLoss: 0.05 }, 'bad'],
  ])('%s is %s', (_, given, expected) => {
    expect(verdict(wide, given)).toBe(expected)
  })
})

describe('with the small picture', () => {
  test.each<[string, Given, string]>([
    ['an estimate that carries stills only', { roomKbps: 35 }, 'bad'],
    ['an estimate that carries sound only', { roomKbps: 15 }, 'worse'],
    ['a low estimate and a full queue', { roomKbps: 35, roundTripMs: 1_400 }, 'urgent'],
    ['a queue that is fuller than before', { roomKbps: 60, roundTripMs: 3_000, roundTripBefore: 2_000 }, 'worse'],
    [
      'a round trip that was not measured anew',
      { roomKbps: 60, roundTripMs: 3_000, roundTripBefore: 3_000 },
      'unknown',
    ],
    ['an estimate with too little room for more', { estimate: 60 }, 'fair'],
    ['an estimate with room', { estimate: 105 }, 'good'],
    ['no estimate', { estimate: null }, 'good'],
    ['an estimate with room for the free picture', { estimate: 300 }, 'free'],
  ])('%s is %s', (_, given, expected) => {
    expect(verdict(narrow, given)).toBe(expected)
  })
})

describe('with stills', () => {
  test.each<[string, Given, string]>([
    ['an estimate that carries stills', { roomKbps: 30, estimate: 30 }, 'fair'],
    ['an estimate that carries sound only', { roomKbps: 15 }, 'bad'],
    ['an estimate of sound only and a full queue', { roomKbps: 15, roundTripMs: 1_400 }, 'urgent'],
    ['a queue that is fuller than before', { roundTripMs: 3_000, roundTripBefore: 2_000 }, 'bad'],
    ['an estimate with room for the small picture', { estimate: 60 }, 'good'],
    ['an estimate with room for the free picture', { estimate: 300 }, 'free'],
  ])('%s is %s', (_, given, expected) => {
    expect(verdict(still, given)).toBe(expected)
  })
})

describe.each([narrow, still])('with a reduced picture (%i)', (level) => {
  test.each<[string, Given, string]>([
    ['in the first readings an estimate says nothing', { estimate: 300, age: 3 }, 'fair'],
    ['a falling estimate is not trusted', { estimate: 150, estimateBefore: 200 }, 'fair'],
    ['a falling estimate of a network that was fast is', { estimate: 150, estimateBefore: 200, best: 3_000 }, 'free'],
    ['a network that was fast may be so again, however low the estimate', { estimate: 50, best: 3_000 }, 'free'],
    ['a short queue is not free', { estimate: 300, queueMs: 250 }, 'good'],
    ['a long queue is not even good', { estimate: 300, queueMs: 600 }, 'fair'],
    ['a long round trip is not free', { estimate: 300, roundTripMs: 1_400 }, 'good'],
    [
      'heavy loss that lowers the estimate needs no reduced picture',
      { roomKbps: 20, estimate: 20, outLoss: 0.3 },
      'good',
    ],
    ['heavy loss with a queue says nothing', { roomKbps: 60, estimate: 60, outLoss: 0.3, queueMs: 500 }, 'fair'],
  ])('%s', (_, given, expected) => {
    expect(verdict(level, given)).toBe(expected)
  })
})

test('with sound only a queue alone holds the picture back: nothing else is measured', () => {
  expect(verdict(soundOnly, { roomKbps: 5, estimate: 5 })).toBe('good')
  expect(verdict(soundOnly, { queueMs: 600 })).toBe('fair')
})
