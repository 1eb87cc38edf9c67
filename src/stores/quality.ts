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

type Line = Pick<PeerConnection<unknown>, 'limit'>
/** One call, from its first reading on. What its camera captures was decided before it. */
type Watched = { line: Line; tier: Tier; state: GovernorState; sent: SendLimits | null }

const UNKNOWN: Signal = { bars: 3, reason: 'good' }

/** How good the call is, and what is sent so that it stays so. It is handed the readings of the call, one after the other. */
export function createQualityStore(ports: { page: PageState; log: Log; tier: () => Tier }) {
  const { page, log } = ports
  const indicator = signal<Signal>(UNKNOWN)
  let watched: Watched | null = null

  function begin(line: Line): Watched {
    const tier = ports.tier()
    return { line, tier, state: governorAt(bestLevelOf(tier)), sent: null }
  }

  /** Asks for what has changed alone. What failed is asked for again with the next reading. */
  function limit(): void {
    const call = watched
    if (!call?.state.last?.bytesSent) return
    const wanted = limitsOf(call.state, call.tier, page.hidden())
    if (sameLimits(call.sent, wanted)) return
    call.sent = wanted
    call.line.limit(wanted).catch((thrown: unknown) => {
      // The connection of a call that is over refuses, and nobody minds.
      if (watched !== call) return
      if (call.sent === wanted) call.sent = null
      log.error('The picture that is sent could not be limited', thrown)
    })
  }

  page.onVisibility(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,

    /** True where the call is as good as it can be. */
    take(sample: CallSample, connection: Line): boolean {
      const call = watched?.line === connection ? watched : begin(connection)
      watched = call
      const load = { hidden: page.hidden(), longTaskMs: page.takeLongTaskMs() }
      call.state = stepGovernor(call.state, sample, load, bestLevelOf(call.tier))
      const { signal: now } = call.state
      const shown = indicator.peek()
      if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
      limit()
      return call.state.level === bestLevelOf(call.tier) && call.state.bad === 0 && now.reason === 'good'
    },

    /** The call is over. */
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
