import { type ReadonlySignal, signal } from '@preact/signals-react'
import {
  type CallSample,
  type GovernorState,
  governorStart,
  isAtBest,
  type SendLimits,
  type Signal,
  stepGovernor,
} from '../domain/governor.ts'
import type { PictureChoice } from '../domain/picture-choice.ts'
import type { Log, PageState, PeerConnection } from '../domain/ports.ts'
import { limitsOf } from '../domain/send-ladder.ts'

export type QualityStore = ReturnType<typeof createQualityStore>

type LimitedPeer = Pick<PeerConnection<unknown>, 'limit' | 'delayPlayback'>
/** The state of one call. */
type Watched = { peer: LimitedPeer; state: GovernorState; sent: SendLimits | null; delayMs: number | null }

type Ports = {
  page: PageState
  log: Log
  choice: ReadonlySignal<PictureChoice>
  /** Called with each sample after the first seconds of a call, to fit the camera to what the network carries. */
  fitCamera: (sample: CallSample) => void
}

/** Shows the quality of the call, limits what is sent and delays what is received accordingly, from one sample after the other. */
export function createQualityStore({ page, log, choice, fitCamera }: Ports) {
  const indicator = signal<Signal>(governorStart.signal)
  let watched: Watched | null = null

  /** Sets the limits when they have changed. A failed attempt is repeated with the next reading. */
  function limit(): void {
    const call = watched
    if (!call?.state.last?.bytesSent) return
    const wanted = limitsOf(call.state, choice.peek(), page.hidden())
    if (sameLimits(call.sent, wanted)) return
    call.sent = wanted
    call.peer.limit(wanted).catch((thrown: unknown) => {
      // The closed connection of an ended call rejects, which is expected.
      if (watched !== call) return
      if (call.sent === wanted) call.sent = null
      log.error('The picture that is sent could not be limited', thrown)
    })
  }

  function delay(call: Watched): void {
    const { delayMs } = call.state.loss
    if (delayMs === call.delayMs) return
    call.delayMs = delayMs
    call.peer.delayPlayback(delayMs)
  }

  page.onVisibility(limit)
  choice.subscribe(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,

    /** Handles the next sample. Returns true if the quality is the best possible. */
    take(sample: CallSample, peer: LimitedPeer): boolean {
      const call = watched?.peer === peer ? watched : { peer, state: governorStart, sent: null, delayMs: null }
      watched = call
      call.state = stepGovernor(call.state, sample, { hidden: page.hidden(), longTaskMs: page.takeLongTaskMs() })
      const { signal: now, settling } = call.state
      const shown = indicator.peek()
      if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
      limit()
      delay(call)
      if (settling === 0) fitCamera(sample)
      return isAtBest(call.state)
    },

    /** Ends the monitoring of the call. */
    stop(): void {
      watched = null
      indicator.value = governorStart.signal
    },
  }
}

function sameLimits(one: SendLimits | null, other: SendLimits): boolean {
  return one !== null && (Object.keys(other) as (keyof SendLimits)[]).every((name) => one[name] === other[name])
}
