import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { type GovernorState, governorStart, stepGovernor } from '../../../../src/call/rules/governor.ts'
import { limitsOf, networkSteps } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'
import { levelsOf, mostChanges } from '../../../support/call/steps.ts'
import { createDice } from '../../../support/dice.ts'

/** A link whose rate, loss and round trip vary around the same values for the whole call. */
type Link = {
  kbps: number
  roundTripMs: number
  /** Share of packets. */
  loss: number
  /** The longest that a packet waits in the link's queue. */
  queueMs: number
  /** Share of time that the encoder takes. */
  coding: number
  /** Share by which a value differs from reading to reading. */
  noise: number
  seed: number
}

const SECONDS = 300
const START_KBPS = 500

const anyLink: fc.Arbitrary<Link> = fc.record({
  // From 8 kbit/s to 8 Mbit/s, as many narrow ones as wide ones.
  kbps: fc.double({ min: 3, max: 13, noNaN: true }).map((power) => 2 ** power),
  roundTripMs: fc.oneof(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 5, max: 1_500 })),
  loss: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.3, noNaN: true })),
  queueMs: fc.integer({ min: 100, max: 2_000 }),
  coding: fc.oneof(fc.constant(0.1), fc.double({ min: 0.3, max: 1.2, noNaN: true })),
  noise: fc.double({ min: 0, max: 0.4, noNaN: true }),
  seed: fc.nat(),
})

/** Links on which a call without a limit of its steps climbed three times in a minute, and then fell twice. */
const lossy = { roundTripMs: 5, loss: 0.10000000000000002, noise: 0, seed: 0 }
const threeStepsUp: Link[] = [
  { ...lossy, kbps: 24.070450097847367, queueMs: 595, coding: 0.1 },
  { ...lossy, kbps: 28.00000000000001, queueMs: 1_496, coding: 0.3 },
]

/** Follows a governed call over the link: what is sent depends on the limits, and what is measured on what is sent. */
function call({ kbps, roundTripMs, loss, queueMs, coding, noise, seed }: Link): GovernorState[] {
  const { next } = createDice(seed)
  const noisy = (value: number) => value * (1 + noise * (2 * next() - 1))
  let state = governorStart
  let availableKbps = START_KBPS
  let waitingMs = 0
  const counted = { bytesSent: 0, packetsLost: 0, encodeSeconds: 0 }
  return Array.from({ length: SECONDS }, (_, index) => {
    const { noPicture, maxKbps, soundKbps } = limitsOf(state, 'best', false, null)
    // Redundancy doubles the sound, which is sent whatever the estimate says.
    const wantedKbps = (noPicture ? 0 : maxKbps) + 2 * soundKbps
    const offeredKbps = Math.min(wantedKbps, Math.max(availableKbps, 2 * soundKbps))
    const carriedKbps = noisy(kbps)
    waitingMs = Math.min(queueMs, Math.max(0, waitingMs + (offeredKbps / carriedKbps - 1) * 1_000))
    // Congestion control looks for little more than what is sent, and follows the link within seconds.
    availableKbps += (Math.min(carriedKbps, Math.max(10, 2 * offeredKbps)) - availableKbps) * 0.5
    counted.bytesSent += (Math.min(offeredKbps, carriedKbps) * 1_000) / 8
    counted.packetsLost += noisy(loss) * 200
    counted.encodeSeconds += noisy(coding)
    const measured = {
      ...counted,
      availableKbps,
      remoteLoss: Math.min(1, noisy(loss)),
      roundTripMs: noisy(roundTripMs) + waitingMs,
      limitedBy: wantedKbps > availableKbps ? ('bandwidth' as const) : ('none' as const),
    }
    state = stepGovernor(state, sampleAt(index, measured), { hidden: false, longTaskMs: 0, ceilingKbps: null })
    return state
  })
}

test('on any steady link, noisy or not, each level changes at most four times a minute', () => {
  fc.assert(
    fc.property(anyLink, (link) => {
      const { network, device } = levelsOf(call(link))
      expect(mostChanges(network)).toBeLessThanOrEqual(4)
      expect(mostChanges(device)).toBeLessThanOrEqual(4)
    }),
    { examples: threeStepsUp.map((link) => [link]), numRuns: sized(25, 100) },
  )
})

test('a link that carries a picture, noisy or not, ends with the free one, and never had sound only', () => {
  fc.assert(
    fc.property(anyLink, (link) => {
      fc.pre(link.kbps > 600 && link.roundTripMs < 300)
      const { network } = levelsOf(call(link))
      expect(network.at(-1)).toBe(networkSteps.wide)
      expect(network).not.toContain(networkSteps.soundOnly)
    }),
  )
})
