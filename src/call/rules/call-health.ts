import type { CallSample } from './call-reading.ts'

/**
 * The health of a call as a pure state machine. Its events are states of the peer connection, samples of its
 * statistics, and network changes. Each step returns advice. Times are milliseconds of one clock.
 */

export type HealthState = {
  /**
   * `starting`: no media yet. `frozen`: sound, but no new picture. `broken`: media stopped, or the peer connection
   * reports a fault.
   */
  phase: 'starting' | 'well' | 'frozen' | 'broken'
  brokenAt: number
  /** When the current ICE restart was requested; null if there is none. */
  restartedAt: number | null
  restarts: number
  connection: 'connected' | 'disconnected' | 'failed'
  /**
   * `frames`, `packets`, `at`: counters and time of the newest sample with new media. `pictureAt`, `picturePackets`:
   * time and packets of the picture at its last new frame.
   */
  flow: { frames: number; packets: number; at: number; pictureAt: number; picturePackets: number } | null
}

type Sample = Pick<CallSample, 'framesDecoded' | 'audioPacketsReceived' | 'packetsReceived' | 'at'>

export type HealthEvent =
  | { type: 'connection'; state: HealthState['connection']; at: number }
  | { type: 'network-changed'; at: number }
  /** The first picture has arrived; from now on missing media is a fault. */
  | { type: 'media-arrived'; at: number }
  | { type: 'sample'; sample: Sample }

/** `restart`: an ICE restart, which the Caller offers. `give-up`: the restarts are used up. */
export type HealthAdvice = 'none' | 'restart' | 'give-up'

/** Longest interruption that is expected to end without a restart. */
export const GRACE_MS = 2_000
/** Time without a picture, or without any media, from which on there is a fault. */
export const STALL_MS = 5_000
/** Time for an ICE restart to bring media back. */
export const RESTART_MS = 8_000
export const RESTARTS_MAX = 3
/** Packets of the picture, since its last new frame, from which on the peer certainly sends a picture. */
const PACKETS_MIN = 10

export const healthy: HealthState = {
  phase: 'starting',
  brokenAt: 0,
  restartedAt: null,
  restarts: 0,
  connection: 'connected',
  flow: null,
}

type Checkup = { state: HealthState; advice: HealthAdvice }

function stay(state: HealthState): Checkup {
  return { state, advice: 'none' }
}

function restart(state: HealthState, at: number): Checkup {
  const brokenAt = state.phase === 'broken' ? state.brokenAt : at
  const next: HealthState = { ...state, phase: 'broken', brokenAt, restartedAt: at, restarts: state.restarts + 1 }
  return { state: next, advice: 'restart' }
}

/** Handles a sample with new media: the call is well again, or frozen if only the picture is missing. */
function flows(
  state: HealthState,
  { framesDecoded: frames, audioPacketsReceived: packets, packetsReceived, at }: Sample,
): Checkup {
  const before = state.flow
  const isNew = before === null || frames > before.frames
  const pictureAt = isNew ? at : before.pictureAt
  const picturePackets = isNew ? packetsReceived : before.picturePackets
  const next: HealthState = { ...state, flow: { frames, packets, at, pictureAt, picturePackets } }
  if (state.connection !== 'connected') return stay(next)
  const healed: HealthState = { ...next, phase: 'well', restartedAt: null, restarts: 0 }
  if (at - pictureAt < STALL_MS) return stay(healed)
  // If the peer sends no picture (no camera, a slow network), no restart helps. If it does, one restart is tried.
  const isSent = packetsReceived - picturePackets >= PACKETS_MIN
  return { state: { ...healed, phase: 'frozen' }, advice: isSent && state.phase === 'well' ? 'restart' : 'none' }
}

function waited(state: HealthState, at: number): Checkup {
  if (state.restartedAt !== null && at - state.restartedAt < RESTART_MS) return stay(state)
  return state.restarts >= RESTARTS_MAX ? { state, advice: 'give-up' } : restart(state, at)
}

/** Handles a sample without new media. */
function checkUp(state: HealthState, at: number): Checkup {
  if (state.phase === 'broken') return at - state.brokenAt < GRACE_MS ? stay(state) : waited(state, at)
  // Before the first picture the setup deadline of the match applies instead.
  if (state.phase === 'starting' || state.flow === null || at - state.flow.at < STALL_MS) return stay(state)
  return restart(state, at)
}

/** Pure. Advises up to RESTARTS_MAX restarts of a broken call, RESTART_MS apart, and then to give up. */
export function stepHealth(state: HealthState, event: HealthEvent): Checkup {
  switch (event.type) {
    case 'connection': {
      const next = { ...state, connection: event.state }
      if (event.state === 'failed') return state.restartedAt === null ? restart(next, event.at) : waited(next, event.at)
      if (event.state === 'connected' || state.phase === 'starting' || state.phase === 'broken') return stay(next)
      return stay({ ...next, phase: 'broken', brokenAt: event.at })
    }

    case 'network-changed':
      // The addresses of the old network no longer work, even if the connection still reports `connected`.
      return state.phase === 'starting' || state.restartedAt !== null ? stay(state) : restart(state, event.at)

    case 'media-arrived': {
      if (state.flow) return stay(state)
      const flow = { frames: 0, packets: 0, at: event.at, pictureAt: event.at, picturePackets: 0 }
      return stay({ ...state, phase: state.phase === 'starting' ? 'well' : state.phase, flow })
    }

    case 'sample': {
      const { framesDecoded: frames, audioPacketsReceived: packets, at } = event.sample
      const { frames: seen, packets: received } = state.flow ?? { frames: 0, packets: 0 }
      if (frames > seen || packets > received) return flows(state, event.sample)
      return checkUp(state, at)
    }

    default:
      return event satisfies never
  }
}
