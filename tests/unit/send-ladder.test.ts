import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { governorStart } from '../../src/domain/governor.ts'
import { pictureChoices } from '../../src/domain/picture-choice.ts'
import { limitsOf, networkSteps, SLOWEST_DEVICE } from '../../src/domain/send-ladder.ts'
import { sampleAt } from '../support/call/call-sample.ts'

type At = { network?: number; device?: number; capturedSide?: number }

/** The state of a call at these levels. */
function at({ network = 0, device = 0, capturedSide = 720 }: At = {}) {
  return {
    network: { ...governorStart.network, level: network },
    device: { ...governorStart.device, level: device },
    loss: governorStart.loss,
    last: sampleAt(0, { capturedSide }),
  }
}

const anyAt = fc.record({
  network: fc.nat(networkSteps.soundOnly),
  device: fc.nat(SLOWEST_DEVICE),
  capturedSide: fc.integer({ min: 0, max: 2_160 }),
})
const anyChoice = fc.constantFrom(...pictureChoices)

describe('what is sent at most', () => {
  test.each([
    ['best', 2_500, 720],
    ['balanced', 900, 480],
    ['saver', 70, 240],
  ] as const)('with the choice "%s" is %i kbit/s, and a picture of its size is not scaled', (choice, maxKbps, side) => {
    expect(limitsOf(at({ capturedSide: side }), choice, false)).toMatchObject({
      picture: true,
      maxKbps,
      scaleDownBy: 1,
    })
    expect(limitsOf(at({ capturedSide: 2 * side }), choice, false).scaleDownBy).toBe(2)
  })

  test('of a camera of unknown size is not scaled', () => {
    expect(limitsOf({ ...at({ device: 1 }), last: null }, 'best', false).scaleDownBy).toBe(1)
    expect(limitsOf(at({ device: 1, capturedSide: 0 }), 'best', false).scaleDownBy).toBe(1)
  })

  test('with the data saver stays below 120 MB an hour for both directions, with sound sent twice', () => {
    const { maxKbps, soundKbps } = limitsOf(at(), 'saver', false)
    expect((2 * (maxKbps + 2 * soundKbps) * 3_600) / 8 / 1_000).toBeLessThan(120)
  })

  test('with the choice "sound" is never a picture', () => {
    fc.assert(
      fc.property(anyAt, fc.boolean(), (state, isHidden) => {
        expect(limitsOf(at(state), 'sound', isHidden).picture).toBe(false)
      }),
    )
  })

  test('is a picture unless the network carries sound only', () => {
    fc.assert(
      fc.property(anyAt, fc.constantFrom('best' as const, 'balanced' as const, 'saver' as const), (state, choice) => {
        expect(limitsOf(at(state), choice, false).picture).toBe(state.network < networkSteps.soundOnly)
      }),
    )
  })

  test('is never more for a hidden page, a slower device, a narrower network or a smaller choice', () => {
    fc.assert(
      fc.property(anyAt, anyChoice, anyAt, anyChoice, fc.boolean(), (one, choice, other, otherChoice, isHidden) => {
        const { capturedSide } = one
        const lower = {
          network: Math.max(one.network, other.network),
          device: Math.max(one.device, other.device),
          capturedSide,
        }
        const index = Math.max(pictureChoices.indexOf(choice), pictureChoices.indexOf(otherChoice))
        const most = limitsOf(at(one), choice, false)
        const less = limitsOf(at(lower), pictureChoices[index] ?? choice, isHidden)
        expect(less.maxKbps).toBeLessThanOrEqual(most.maxKbps)
        expect(less.maxFrameRate).toBeLessThanOrEqual(most.maxFrameRate)
        expect(less.scaleDownBy).toBeGreaterThanOrEqual(most.scaleDownBy)
        expect(less.soundKbps).toBeLessThanOrEqual(most.soundKbps)
        expect(Number(less.picture)).toBeLessThanOrEqual(Number(most.picture))
      }),
    )
  })

  test('of a hidden page is small and slow', () => {
    expect(limitsOf(at(), 'best', true)).toMatchObject({ picture: true, maxKbps: 80, maxFrameRate: 5, scaleDownBy: 4 })
  })

  test('follows what protects from loss', () => {
    const loss = { ...governorStart.loss, layers: 3 as const, isLossy: true }
    expect(limitsOf({ ...at(), loss }, 'best', false)).toMatchObject({ layers: 3, isLossy: true })
    expect(limitsOf(at(), 'best', false)).toMatchObject({ layers: 1, isLossy: false })
  })
})
