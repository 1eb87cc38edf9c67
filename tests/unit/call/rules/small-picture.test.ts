import { describe, expect, test } from 'vitest'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { noSmallPicture, stepSmallPicture } from '../../../../src/call/rules/small-picture.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

const HALF = { availableKbps: null, sentSide: 360 }
const WHOLE = { availableKbps: null }

/** The readings of a call at which the full size is asked for. */
function requests(seconds: number, given: (second: number) => Partial<CallSample>, scaleDownBy = 1, isCalm = true) {
  let state = noSmallPicture
  const asked: number[] = []
  for (let second = 1; second <= seconds; second += 1) {
    const next = stepSmallPicture(state, sampleAt(second, given(second)), scaleDownBy, isCalm)
    if (next.asked > state.asked) asked.push(second)
    state = next
  }
  return asked
}

describe('the full size of a picture that is small without a reason', () => {
  test('is asked for soon, then less and less often, and in the end no more', () => {
    expect(requests(600, () => HALF)).toEqual([2, 6, 14, 30, 62])
  })

  test('is asked for soon again after it stayed', () => {
    expect(requests(40, (second) => (second > 2 && second < 20 ? WHOLE : HALF))).toEqual([2, 21, 25, 33])
  })

  test('is asked for less often where it does not stay', () => {
    const whole = [3, 4, 5, 10, 11, 12]
    expect(requests(25, (second) => (whole.includes(second) ? WHOLE : HALF))).toEqual([2, 9, 20])
  })

  test('is not asked for while network or device are in trouble', () => {
    expect(requests(60, () => HALF, 1, false)).toEqual([])
  })

  test('is not asked for where our own limits make it small, whatever the browser rounds it to', () => {
    expect(requests(60, () => ({ ...HALF, sentSide: 355 }), 2)).toEqual([])
  })

  test('is not asked for before anything is sent, nor where the browser estimates the network', () => {
    expect(requests(60, () => ({ ...HALF, sentSide: 0 }))).toEqual([])
    expect(requests(60, () => ({ sentSide: 360 }))).toEqual([])
  })
})
