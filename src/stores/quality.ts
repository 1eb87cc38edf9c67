import { type ReadonlySignal, signal } from '@preact/signals-react'
import {
  type CallSample,
  type GovernorState,
  governorAt,
  type SendLimits,
  type Signal,
  stepGovernor,
} from '../domain/governor.ts'
import type { Log, PageState, PeerConnection } from '../domain/ports.ts'
import type { Tier } from '../domain/quality-tier.ts'
import { bestLevelOf, limitsOf } from '../domain/send-ladder.ts'

export type QualityStore = ReturnType<typeof createQualityStore>

type LimitedPeer = Pick<PeerConnection<unknown>, 'limit'>
/** The state of one call. Its tier is that of the camera at the first sample. */
type Watched = { peer: LimitedPeer; tier: Tier; state: GovernorState; sent: SendLimits | null }

const UNKNOWN: Signal = { bars: 3, reason: 'good' }

/** Shows the quality of the call and limits the sent video accordingly, from one sample after the other. */
export function createQualityStore(ports: { page: PageState; log: Log; tier: () => Tier }) {
  const { page, log } = ports
  const indicator = signal<Signal>(UNKNOWN)
  let watched: Watched | null = null

  function begin(peer: LimitedPeer): Watched {
    const tier = ports.tier()
    return { peer, tier, state: governorAt(bestLevelOf(tier)), sent: null }
  }

  /** Sets the limits when they have changed. A failed attempt is repeated with the next reading. */
  function limit(): void {
    const call = watched
    if (!call?.state.last?.bytesSent) return
    const wanted = limitsOf(call.state, call.tier, page.hidden())
    if (sameLimits(call.sent, wanted)) return
    call.sent = wanted
    call.peer.limit(wanted).catch((thrown: unknown) => {
      // The closed connection of an ended call rejects, which is expected.
      if (watched !== call) return
      if (call.sent === wanted) call.sent = null
      log.error('The picture that is sent could not be limited', thrown)
    })
  }

  page.onVisibility(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,

    /** Handles the next sample. Returns true if the quality is the best possible. */
    take(sample: CallSample, peer: LimitedPeer): boolean {
      const call = watched?.peer === peer ? watched : begin(peer)
      watched = call
      const load = { hidden: page.hidden(), longTaskMs: page.takeLongTaskMs() }
      call.state = stepGovernor(call.state, sample, load, bestLevelOf(call.tier))
      const { signal: now } = call.state
      const shown = indicator.peek()
      if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
      limit()
      return call.state.level === bestLevelOf(call.tier) && call.state.bad === 0 && now.reason === 'good'
    },

    /** Ends the monitoring of the call. */
    stop(): void {
      watched = null
      indicator.value = UNKNOWN
    },
  }
}

function sameLimits(one: SendLimits | null, other: SendLimits): boolean {
  return (
    one !== null &&
    one.maxKbps === other.maxKbps &&
    one.maxFrameRate === other.maxFrameRate &&
    one.scaleDownBy === other.scaleDownBy
  )
}
