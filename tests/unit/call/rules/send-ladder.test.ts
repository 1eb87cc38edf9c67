import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePeerStatus } from '#protocol/peer.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { acceptedMedia, limitsOf, networkSteps, SLOWEST_DEVICE } from '../../../../src/call/rules/send-ladder.ts'
import { pictureChoices } from '../../../../src/platform/rules/picture-choice.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

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
    expect(limitsOf(at({ capturedSide: side }), choice, false, null)).toMatchObject({
      noPicture: null,
      maxKbps,
      scaleDownBy: 1,
    })
    expect(limitsOf(at({ capturedSide: 2 * side }), choice, false, null).scaleDownBy).toBe(2)
  })

  test('of a camera of unknown size is not scaled', () => {
    expect(limitsOf({ ...at({ device: 1 }), last: null }, 'best', false, null).scaleDownBy).toBe(1)
    expect(limitsOf(at({ device: 1, capturedSide: 0 }), 'best', false, null).scaleDownBy).toBe(1)
  })

  test.each([
    ['saver', 120],
    ['sound', 20],
  ] as const)('with the choice "%s" has a ceiling below %i MB an hour for both directions', (choice, megabytes) => {
    const { maxKbps, soundKbps, ceilingKbps, noPicture } = limitsOf(at(), choice, false, null)
    const needed = (noPicture ? 0 : maxKbps) + 2 * soundKbps
    expect(ceilingKbps).toBeGreaterThanOrEqual(needed)
    expect((2 * (ceilingKbps ?? Number.NaN) * 3_600) / 8 / 1_000).toBeLessThan(megabytes)
  })

  test('has the ceiling of the side that allows less, and a network alone sets none', () => {
    fc.assert(
      fc.property(anyAt, anyChoice, anyAt, anyChoice, (own, choice, theirs, theirChoice) => {
        const ceiling = (one: typeof choice) =>
          limitsOf(at(own), one, false, null).ceilingKbps ?? Number.POSITIVE_INFINITY
        const { ceilingKbps } = limitsOf(at(own), choice, false, acceptedMedia(at(theirs), theirChoice))
        expect(ceilingKbps ?? Number.POSITIVE_INFINITY).toBe(Math.min(ceiling(choice), ceiling(theirChoice)))
      }),
    )
    expect(limitsOf(at({ network: networkSteps.soundOnly }), 'best', true, null).ceilingKbps).toBeNull()
  })

  test('is sound in packets that are longer the lower its rate is', () => {
    const packetMs = (network: number, choice: 'best' | 'saver' | 'sound') =>
      limitsOf(at({ network }), choice, false, null).soundPacketMs
    expect([
      packetMs(0, 'best'),
      packetMs(networkSteps.narrow, 'best'),
      packetMs(0, 'saver'),
      packetMs(0, 'sound'),
    ]).toEqual([20, 60, 60, 120])
  })

  test('with the choice "sound" is never a picture', () => {
    fc.assert(
      fc.property(anyAt, fc.boolean(), (state, isHidden) => {
        expect(limitsOf(at(state), 'sound', isHidden, null).noPicture).toBe('choice')
      }),
    )
  })

  test('is a picture unless the network carries sound only', () => {
    fc.assert(
      fc.property(anyAt, fc.constantFrom('best' as const, 'balanced' as const, 'saver' as const), (state, choice) => {
        expect(limitsOf(at(state), choice, false, null).noPicture).toBe(
          state.network < networkSteps.soundOnly ? null : 'network',
        )
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
        const most = limitsOf(at(one), choice, false, null)
        const less = limitsOf(at(lower), pictureChoices[index] ?? choice, isHidden, null)
        expect(less.maxKbps).toBeLessThanOrEqual(most.maxKbps)
        expect(less.maxFrameRate).toBeLessThanOrEqual(most.maxFrameRate)
        expect(less.scaleDownBy).toBeGreaterThanOrEqual(most.scaleDownBy)
        expect(less.soundKbps).toBeLessThanOrEqual(most.soundKbps)
        if (most.noPicture) expect(less.noPicture).not.toBeNull()
      }),
    )
  })

  test.each([
    // The estimates in kbit/s down to which each step is kept.
    [networkSteps.narrow, 80, 10],
    [networkSteps.still, 45, 1],
  ])('on the step %i of the network fits %i kbit/s, and has at most %i frames a second', (network, kbps, frames) => {
    const { noPicture, maxKbps, soundKbps, maxFrameRate, scaleDownBy } = limitsOf(at({ network }), 'best', false, null)
    expect(noPicture).toBeNull()
    // Redundancy doubles the sound.
    expect(maxKbps + 2 * soundKbps).toBeLessThan(kbps)
    expect(maxFrameRate).toBe(frames)
    // The first frame of a larger picture fills the queue.
    expect(720 / scaleDownBy).toBeLessThanOrEqual(180)
  })

  test('of sound is less on each narrower step of the network, and at most what it is with a picture', () => {
    const soundAt = (network: number) => limitsOf(at({ network }), 'best', false, null).soundKbps
    expect(soundAt(networkSteps.narrow)).toBeLessThan(soundAt(networkSteps.wide))
    expect(soundAt(networkSteps.still)).toBeLessThan(soundAt(networkSteps.narrow))
    expect(soundAt(networkSteps.soundOnly)).toBeLessThanOrEqual(soundAt(networkSteps.still))
  })

  test('and wanted of sound is less with the data saver, and least with sound only', () => {
    for (const soundOf of [
      (choice: (typeof pictureChoices)[number]) => limitsOf(at(), choice, false, null).soundKbps,
      (choice: (typeof pictureChoices)[number]) => acceptedMedia(at(), choice).soundKbps,
    ]) {
      expect(soundOf('saver')).toBeLessThan(soundOf('best'))
      expect(soundOf('sound')).toBeLessThan(soundOf('saver'))
    }
  })

  test('of a hidden page is small and slow', () => {
    expect(limitsOf(at(), 'best', true, null)).toMatchObject({
      noPicture: null,
      maxKbps: 80,
      maxFrameRate: 5,
      scaleDownBy: 4,
    })
  })

  test('follows what protects from loss', () => {
    const loss = { ...governorStart.loss, layers: 3 as const, isLossy: true }
    expect(limitsOf({ ...at(), loss }, 'best', false, null)).toMatchObject({ layers: 3, isLossy: true })
    expect(limitsOf(at(), 'best', false, null)).toMatchObject({ layers: 1, isLossy: false })
  })

  const relayed = { kind: 'relay', way: 'udp', family: 'ipv4' } as const

  test('over a relay of either side is no more than the operator allows, and over none it is what it was', () => {
    fc.assert(
      fc.property(
        anyAt,
        anyChoice,
        fc.boolean(),
        fc.integer({ min: 100, max: 2_500 }),
        (own, choice, isHidden, kbps) => {
          const state = at(own)
          const free = limitsOf(state, choice, isHidden, null)
          expect(limitsOf(state, choice, isHidden, null, kbps)).toEqual(free)
          const capped = { ...free, maxKbps: Math.min(free.maxKbps, kbps) }
          const ofPeer = { ...state, last: { ...state.last, pair: relayed } }
          expect(limitsOf(ofPeer, choice, isHidden, null, kbps)).toEqual(capped)
          // A browser that does not name its pair.
          const ofOwn = { ...state, last: { ...state.last, isRelayed: true, pair: null } }
          expect(limitsOf(ofOwn, choice, isHidden, null, kbps)).toEqual(capped)
        },
      ),
    )
  })

  test('is never more than the peer accepts, and is what it was for a peer that says nothing', () => {
    fc.assert(
      fc.property(anyAt, anyChoice, anyAt, anyChoice, (own, choice, theirs, theirChoice) => {
        const accepted = acceptedMedia(at(theirs), theirChoice)
        const free = limitsOf(at(own), choice, false, null)
        const limits = limitsOf(at(own), choice, false, accepted)
        expect(limits.maxKbps).toBe(Math.min(free.maxKbps, accepted.maxKbps))
        expect(limits.maxFrameRate).toBe(Math.min(free.maxFrameRate, accepted.maxFrameRate))
        expect(limits.soundKbps).toBe(Math.min(free.soundKbps, accepted.soundKbps))
        expect(limits.scaleDownBy).toBeGreaterThanOrEqual(free.scaleDownBy)
        expect(limits.noPicture).toBe(free.noPicture ?? (accepted.picture ? null : 'peer'))
      }),
    )
  })

  test('to a peer with a slow device is what that device can show', () => {
    const accepted = acceptedMedia(at({ device: SLOWEST_DEVICE }), 'best')
    expect(limitsOf(at(), 'best', false, accepted)).toMatchObject({ maxFrameRate: 10, scaleDownBy: 3 })
  })

  test('accepted media are within what a message may contain', () => {
    fc.assert(
      fc.property(anyAt, anyChoice, (state, choice) => {
        const status = { noPicture: null, stills: false, accepts: acceptedMedia(at(state), choice) }
        expect(parsePeerStatus(JSON.stringify(status))).toEqual(status)
      }),
    )
  })
})
