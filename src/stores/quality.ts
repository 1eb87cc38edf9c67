import { type ReadonlySignal, signal } from '@preact/signals-react'
import {
  type CallSample,
  type GovernorState,
  governorAt,
  limitsOf,
  type SendLimits,
  type Signal,
  stepGovernor,
} from '../domain/governor.ts'
import type { Log, PageState, PeerConnection } from '../domain/ports.ts'
import type { Tier } from '../domain/quality-tier.ts'

export type QualityStore = ReturnType<typeof createQualityStore>

type Line = Pick<PeerConnection<unknown>, 'limit'>

/** The best that is sent of what each tier captures. */
const bestOf: Record<Tier, number> = { high: 0, medium: 1, low: 2 }

/** How good the call is, and what is sent so that it stays so. It is handed the readings of the call, one after the other. */
export function createQualityStore(ports: { page: PageState; log: Log; tier: () => Tier }) {
  const { page, log } = ports
  const indicator = signal<Signal>({ bars: 3, reason: 'good' })
  let state: GovernorState | null = null
  let line: Line | null = null
  let sent: SendLimits | null = null

  function limit(): void {
    if (!state || !line) return
    const wanted = limitsOf(state, page.hidden())
    if (sameLimits(sent, wanted)) return
    sent = wanted
    line.limit(wanted).catch((thrown: unknown) => log.error('The picture that is sent could not be limited', thrown))
  }

  page.onVisibility(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,

    take(sample: CallSample, connection: Line): void {
      if (line !== connection) {
        line = connection
        sent = null
        state = governorAt(bestOf[ports.tier()])
      }
      const load = { hidden: page.hidden(), longTaskMs: page.takeLongTaskMs() }
      state = stepGovernor(state ?? governorAt(0), sample, load, bestOf[ports.tier()])
      const { signal: now } = state
      const shown = indicator.peek()
      if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
      limit()
    },

    /** The call is over. */
    stop(): void {
      state = null
      line = null
      sent = null
      indicator.value = { bars: 3, reason: 'good' }
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
