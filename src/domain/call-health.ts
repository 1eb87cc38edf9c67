import type { CallSample } from './governor.ts'

/**
 * Whether a call is well, as a pure machine: it is fed with what the peer connection says of itself, with readings of its
 * statistics, and with changes of the network, and answers what is to be done. Times are milliseconds of one clock.
 */

export type HealthState = {
  /** `starting`: nothing has flowed yet. `frozen`: there is sound but no new picture. `broken`: media stopped, or the connection says so. */
  phase: 'starting' | 'well' | 'frozen' | 'broken'
  /** Since when it is broken. */
  brokenAt: number
  /** When the last restart was asked for; null while none is under way. */
  restartedAt: number | null
  restarts: number
  connection: 'connected' | 'disconnected' | 'failed'
  /** The newest reading in which something had arrived, and when; when the last picture had. */
  flow: { frames: number; packets: number; at: number; pictureAt: number } | null
}

export type HealthEvent =
  | { type: 'connection'; state: HealthState['connection']; at: number }
  | { type: 'network-changed'; at: number }
  /** The first of the picture has come: from now on silence is a fault. */
  | { type: 'media-arrived'; at: number }
  | { type: 'sample'; sample: Pick<CallSample, 'framesDecoded' | 'audioPacketsReceived' | 'at'> }

/** `restart`: new ICE credentials, which the Caller offers. `give-up`: nothing heals this call any more. */
export type HealthAdvice = 'none' | 'restart' | 'give-up'

/** A connection that stutters for less mends itself. */
export const GRACE_MS = 2_000
/** So long no picture has arrived, or neither picture nor sound. */
export const STALL_MS = 5_000
/** So long a restart has to bring media back. */
export const RESTART_MS = 8_000
export const RESTARTS_MAX = 3

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

/** Something arrived since the last reading: whatever was wrong is over, but for a picture that stands still. */
function flows(state: HealthState, frames: number, packets: number, at: number): Checkup {
  const before = state.flow
  const pictureAt = before === null || frames > before.frames ? at : before.pictureAt
  const next: HealthState = { ...state, flow: { frames, packets, at, pictureAt } }
  if (state.connection !== 'connected') return stay(next)
  const healed: HealthState = { ...next, phase: 'well', restartedAt: null, restarts: 0 }
  if (at - pictureAt < STALL_MS) return stay(healed)
  // A camera that is away sends nothing either, which no restart changes: one is tried, and the call goes on by its sound.
  return { state: { ...healed, phase: 'frozen' }, advice: state.phase === 'well' ? 'restart' : 'none' }
}

function waited(state: HealthState, at: number): Checkup {
  if (state.restartedAt !== null && at - state.restartedAt < RESTART_MS) return stay(state)
  return state.restarts >= RESTARTS_MAX ? { state, advice: 'give-up' } : restart(state, at)
}

/** What to do of a call that is broken, or about to be, at this time. */
function checkUp(state: HealthState, at: number): Checkup {
  if (state.phase === 'broken') return at - state.brokenAt < GRACE_MS ? stay(state) : waited(state, at)
  // Before the first picture the match has deadlines of its own.
  if (state.phase === 'starting' || state.flow === null || at - state.flow.at < STALL_MS) return stay(state)
  return restart(state, at)
}

/** Pure. A call that is broken is restarted a few times, each with its time to work, and then given up. */
export function stepHealth(state: HealthState, event: HealthEvent): Checkup {
  switch (event.type) {
    case 'connection': {
      const next = { ...state, connection: event.state }
      if (event.state === 'failed') return state.restartedAt === null ? restart(next, event.at) : waited(next, event.at)
      if (event.state === 'connected' || state.phase === 'starting' || state.phase === 'broken') return stay(next)
      return stay({ ...next, phase: 'broken', brokenAt: event.at })
    }

    case 'network-changed':
      // The addresses that the connection knows are gone, whatever it still says of itself.
      return state.phase === 'starting' || state.restartedAt !== null ? stay(state) : restart(state, event.at)

    case 'media-arrived': {
      if (state.flow) return stay(state)
      const flow = { frames: 0, packets: 0, at: event.at, pictureAt: event.at }
      return stay({ ...state, phase: state.phase === 'starting' ? 'well' : state.phase, flow })
    }

    case 'sample': {
      const { framesDecoded: frames, audioPacketsReceived: packets, at } = event.sample
      const { frames: seen, packets: heard } = state.flow ?? { frames: 0, packets: 0 }
      if (frames > seen || packets > heard) return flows(state, frames, packets, at)
      return checkUp(state, at)
    }

    default:
      return event satisfies never
  }
}
