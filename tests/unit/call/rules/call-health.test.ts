import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  GRACE_MS,
  type HealthAdvice,
  type HealthEvent,
  type HealthState,
  healthy,
  RESTART_MS,
  RESTARTS_MAX,
  STALL_MS,
  stepHealth,
} from '../../../../src/call/rules/call-health.ts'

const sample = (at: number, framesDecoded: number, audioPacketsReceived = 0, packetsReceived = 0): HealthEvent => ({
  type: 'sample',
  sample: { at, framesDecoded, audioPacketsReceived, packetsReceived },
})

function play(events: HealthEvent[], from: HealthState = healthy): { state: HealthState; advice: HealthAdvice[] } {
  const advice: HealthAdvice[] = []
  let state = from
  for (const event of events) {
    const next = stepHealth(state, event)
    state = next.state
    advice.push(next.advice)
  }
  return { state, advice }
}

/** The state of a call whose media arrived until time 0. */
const well = play([sample(-1_000, 10, 50), sample(0, 20, 100)]).state

describe('media that stops', () => {
  test('for five seconds is restarted, and not before', () => {
    expect(play([sample(STALL_MS - 1, 20, 100)], well).advice).toEqual(['none'])
    expect(play([sample(STALL_MS, 20, 100)], well).advice).toEqual(['restart'])
  })

  test('is no fault while the picture arrives', () => {
    const { state, advice } = play([sample(STALL_MS, 21, 100), sample(2 * STALL_MS - 1, 21, 100)], well)
    expect(advice).toEqual(['none', 'none'])
    expect(state.phase).toBe('well')
  })

  test('except for its sound is a frozen picture: one restart is advised, and the next picture ends it', () => {
    const times = [STALL_MS - 1, STALL_MS, 2 * STALL_MS, 9 * STALL_MS]
    const steps = times.map((at, index) => sample(at, 20, 101 + index, 100 * (index + 1)))
    const frozen = play(steps, well)
    expect(frozen.advice).toEqual(['none', 'restart', 'none', 'none'])
    expect(frozen.state.phase).toBe('frozen')
    expect(play([sample(50_000, 21, 110)], frozen.state)).toMatchObject({ state: { phase: 'well' }, advice: ['none'] })
  })

  test('because the peer sends sound only is shown, and no restart is advised', () => {
    const { state, advice } = play([sample(STALL_MS, 20, 101), sample(2 * STALL_MS, 20, 102)], well)
    expect(advice).toEqual(['none', 'none'])
    expect(state.phase).toBe('frozen')
  })

  test('completely after the picture froze is restarted until the restarts are used up', () => {
    const frozen = play([sample(STALL_MS, 20, 101)], well).state
    const lost: HealthEvent = { type: 'connection', state: 'disconnected', at: STALL_MS }
    expect(play([lost, sample(STALL_MS + GRACE_MS, 20, 101)], frozen).advice).toEqual(['none', 'restart'])
  })

  test('before any media arrived is left to the setup deadlines of the match', () => {
    expect(play([{ type: 'network-changed', at: 0 }]).advice).toEqual(['none'])
    const { state, advice } = play([0, 1, 2].map((times) => sample(times * STALL_MS, 0, 0)))
    expect(advice).toEqual(['none', 'none', 'none'])
    expect(state.phase).toBe('starting')
  })

  test('right after its first packet is restarted too', () => {
    const begun: HealthEvent = { type: 'media-arrived', at: 0 }
    expect(play([begun, sample(STALL_MS - 1, 0), sample(STALL_MS, 0)]).advice).toEqual(['none', 'none', 'restart'])
    expect(play([begun], well).state).toEqual(well)
  })
})

describe('a connection', () => {
  test('that is lost briefly is left alone, for longer is restarted', () => {
    const lost: HealthEvent = { type: 'connection', state: 'disconnected', at: 0 }
    expect(play([lost, sample(GRACE_MS - 1, 20, 100)], well).advice).toEqual(['none', 'none'])
    expect(play([lost, sample(GRACE_MS, 20, 100)], well).advice).toEqual(['none', 'restart'])
  })

  test('that fails, or changes its network, is restarted once and at once', () => {
    const failed: HealthEvent = { type: 'connection', state: 'failed', at: 0 }
    const changed: HealthEvent = { type: 'network-changed', at: 1 }
    expect(play([failed, failed, changed], well).advice).toEqual(['restart', 'none', 'none'])
    expect(play([changed, failed, changed], well).advice).toEqual(['restart', 'none', 'none'])
  })

  test('that recovers has all its restarts again', () => {
    const { state } = play(
      [
        { type: 'connection', state: 'failed', at: 0 },
        { type: 'connection', state: 'connected', at: 500 },
        sample(1_000, 30, 150),
      ],
      well,
    )
    expect(state).toMatchObject({ phase: 'well', restarts: 0, restartedAt: null })
  })

  test('that does not recover is given up after three restarts', () => {
    const events: HealthEvent[] = [{ type: 'connection', state: 'failed', at: 0 }]
    for (let at = 1_000; at <= 60_000; at += 1_000) events.push(sample(at, 20, 100))
    const { advice } = play(events, well)
    const times = (wanted: HealthAdvice) => advice.flatMap((one, index) => (one === wanted ? [index * 1_000] : []))
    expect(times('restart')).toEqual([0, RESTART_MS, 2 * RESTART_MS])
    expect(times('give-up')[0]).toBe(RESTARTS_MAX * RESTART_MS)
  })
})

test('for any events: no restart before media or a failure, none during another one, none above the limit', () => {
  const step = fc.record({
    wait: fc.integer({ min: 1, max: 4_000 }),
    what: fc.oneof(
      fc.constantFrom('connected' as const, 'disconnected' as const, 'failed' as const),
      fc.constantFrom('network' as const, 'flow' as const, 'silence' as const, 'arrival' as const),
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      let state = healthy
      let at = 0
      let frames = 0
      let flowed = false
      let restarts: number[] = []
      for (const { wait, what } of steps) {
        at += wait
        if (what === 'flow') frames += 1
        const event: HealthEvent =
          what === 'network' || what === 'arrival'
            ? { type: what === 'network' ? 'network-changed' : 'media-arrived', at }
            : what === 'flow' || what === 'silence'
              ? sample(at, frames)
              : { type: 'connection', state: what, at }
        const before = state
        const next = stepHealth(state, event)
        state = next.state
        flowed ||= state.phase === 'well' || what === 'failed'
        if (state.phase === 'well') restarts = []
        if (next.advice === 'restart' && event.type !== 'connection') {
          expect(flowed).toBe(true)
          if (before.restartedAt !== null) expect(at - before.restartedAt).toBeGreaterThanOrEqual(RESTART_MS)
        }
        if (next.advice === 'restart') restarts.push(at)
        expect(restarts.length).toBeLessThanOrEqual(RESTARTS_MAX)
      }
    }),
  )
})
