import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { AcceptedMedia, NoPictureReason, PeerStatus } from '#protocol/peer.ts'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import type { PictureChoice } from '../../platform/rules/picture-choice.ts'
import type { PeerConnection } from '../ports.ts'
import {
  type CallCause,
  type CauseRecord,
  type CauseState,
  noCause,
  stepCause,
  weakness,
  withCause,
} from '../rules/call-cause.ts'
import {
  type CallSample,
  type Conditions,
  type GovernorState,
  type GovernorStep,
  governorStart,
  isAtBest,
  judge,
  type SendLimits,
  type Signal,
  stepGovernor,
} from '../rules/governor.ts'
import { acceptedMedia, limitsOf, networkSteps } from '../rules/send-ladder.ts'
import { noSmallPicture, type SmallPicture, stepSmallPicture } from '../rules/small-picture.ts'

/** What the peer says that it sends: a picture, or why there is none. A peer that says nothing sends a moving one. */
type PeerPicture = 'moving' | 'stills' | 'camera-off' | NoPictureReason

export type QualityStore = ReturnType<typeof createQualityStore>

/** Between two wishes of the peer that are followed. */
const SAMPLES_BETWEEN_WISHES = 5

type LimitedPeer = Pick<PeerConnection<unknown>, 'limit' | 'delayPlayback' | 'tell' | 'measure' | 'restoreSize'>
/** The state of one call. */
type Watched = {
  peer: LimitedPeer
  state: GovernorState
  small: SmallPicture
  cause: CauseState
  sent: SendLimits | null
  told: PeerStatus | null
  delayMs: number | null
}

/** Follows what is decided, for the profiler. */
export type QualityFollower = { stepped(step: GovernorStep): void; limited(limits: SendLimits): void }

type Ports = {
  page: PageState
  log: Log
  choice: ReadonlySignal<PictureChoice>
  /** Whether what is sent is the camera's picture, for the peer to know. */
  hasCameraPicture: ReadonlySignal<boolean>
  /** Highest bit rate of the picture over a relay. */
  relayKbps: number
  /** Called with each sample after the first seconds of a call, to fit the camera to what the network carries. */
  fitCamera: (sample: CallSample) => void
  /** Called with every new cause of the quality. */
  explained: (record: CauseRecord) => void
}

/**
 * Shows the quality of the call, limits what is sent and delays what is received accordingly, from one sample after the other. Agrees
 * with the peer on what is sent.
 */
export function createQualityStore({ page, log, choice, hasCameraPicture, relayKbps, fitCamera, explained }: Ports) {
  const indicator = signal<Signal>(governorStart.signal)
  const peerPicture = signal<PeerPicture>('moving')
  const tellsCameraOff = signal(false)
  const cause = signal<CallCause>('good')
  /** Causes of the call, also after its end until the next one. */
  let causes: readonly CauseRecord[] = []
  let watched: Watched | null = null
  /** What the peer of the call said last, and what of it is followed; null for a peer that says nothing. */
  let heard: PeerStatus | null = null
  let accepted: AcceptedMedia | null = null
  let samplesUntilNext = 0
  let follower: QualityFollower | null = null

  /** Sets the limits when they have changed. A failed attempt is repeated with the next reading. */
  function limit(): void {
    const call = watched
    if (!call || !isDue(call.state)) return
    const wanted = limitsOf(call.state, choice.peek(), page.hidden(), accepted, relayKbps)
    tell(call, {
      noPicture: wanted.noPicture,
      stills: wanted.stills,
      weak: weakness(call.cause.cause),
      cameraOff: !hasCameraPicture.peek(),
      accepts: acceptedMedia(call.state, choice.peek()),
    })
    if (sameFields(call.sent, wanted)) return
    call.sent = wanted
    follower?.limited(wanted)
    call.peer.limit(wanted).catch((thrown: unknown) => {
      // The closed connection of an ended call rejects, which is expected.
      if (watched !== call) return
      if (call.sent === wanted) call.sent = null
      log.error('The picture that is sent could not be limited', thrown)
    })
  }

  function tell(call: Watched, status: PeerStatus): void {
    const { told } = call
    const fields = ['noPicture', 'stills', 'weak', 'cameraOff'] as const
    const isSame = told !== null && fields.every((name) => told[name] === status[name])
    if (isSame && sameFields(told.accepts, status.accepts)) return
    call.told = status
    call.peer.tell(status)
  }

  function explain(call: Watched): void {
    call.cause = stepCause(call.cause, call.state, heard)
    cause.value = call.cause.cause
    const before = causes
    causes = withCause(causes, cause.peek(), call.state)
    const added = causes.at(-1)
    if (causes !== before && added) explained(added)
  }

  /** Other wishes of the peer may cost a new negotiation: a hostile one must not cause one a second. */
  function followPeer(): void {
    samplesUntilNext = Math.max(0, samplesUntilNext - 1)
    if (!heard || samplesUntilNext > 0 || sameFields(accepted, heard.accepts)) return
    accepted = heard.accepts
    samplesUntilNext = SAMPLES_BETWEEN_WISHES
  }

  function restoreSize(call: Watched): void {
    call.peer.restoreSize().catch((thrown: unknown) => {
      if (watched === call) log.error('The size of the picture could not be restored', thrown)
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
  hasCameraPicture.subscribe(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,
    peerPicture: peerPicture as ReadonlySignal<PeerPicture>,
    /** Whether the peer of this call says when its camera is off. Earlier versions do not. */
    tellsCameraOff: tellsCameraOff as ReadonlySignal<boolean>,
    /** Whether the peer says that it sends a picture, moving or not. */
    hasPeerPicture: computed(() => peerPicture.value === 'moving' || peerPicture.value === 'stills'),
    /** The one cause that explains the quality. */
    cause: cause as ReadonlySignal<CallCause>,
    /** The causes of this call, or of the last one. */
    causes: () => causes,

    /** Handles the next sample. Returns true if the quality is the best possible. */
    take(sample: CallSample, peer: LimitedPeer): boolean {
      const isNew = watched?.peer !== peer
      const call = watched && !isNew ? watched : newCall(peer)
      if (isNew) {
        causes = []
        tellsCameraOff.value = false
      }
      watched = call
      const { asked, found } = call.state.recovery
      const restored = call.small.asked
      const conditions: Conditions = {
        hidden: page.hidden(),
        longTaskMs: page.takeLongTaskMs(),
        ceilingKbps: call.sent?.ceilingKbps ?? null,
      }
      const before = call.state
      call.state = stepGovernor(before, sample, conditions)
      follower?.stepped({ before, after: call.state, sample, judgement: judge(before, sample, conditions) })
      if (call.state.recovery.asked > asked) peer.measure()
      const isBest = isAtBest(call.state)
      call.small = stepSmallPicture(call.small, sample, call.sent?.scaleDownBy ?? 1, isBest)
      if (call.state.recovery.found > found || call.small.asked > restored) restoreSize(call)
      const { signal: now, settling } = call.state
      const shown = indicator.peek()
      if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
      peerPicture.value = pictureSaid(heard)
      if (heard?.cameraOff !== undefined) tellsCameraOff.value = true
      explain(call)
      followPeer()
      limit()
      delay(call)
      if (settling === 0) fitCamera(sample)
      return isBest && call.small.small === 0
    },

    /** Takes what the peer said. It is shown and followed with a later sample: a hostile peer may say something else all the time. */
    hear(status: PeerStatus): void {
      heard = status
    },

    /** From now on, for the lifetime of the page. */
    follow(next: QualityFollower): void {
      follower = next
    },

    /** Ends the monitoring of the call. */
    stop(): void {
      watched = null
      heard = null
      accepted = null
      samplesUntilNext = 0
      peerPicture.value = 'moving'
      tellsCameraOff.value = false
      indicator.value = governorStart.signal
      cause.value = 'good'
    },
  }
}

function pictureSaid(heard: PeerStatus | null): PeerPicture {
  if (heard?.noPicture) return heard.noPicture
  if (heard?.cameraOff) return 'camera-off'
  return heard?.stills ? 'stills' : 'moving'
}

/** The first picture is not delayed by limits, except on a network that it would fill. */
function isDue({ last, network }: GovernorState): boolean {
  return Boolean(last?.bytesSent) || network.level > networkSteps.wide
}

function newCall(peer: LimitedPeer): Watched {
  return { peer, state: governorStart, small: noSmallPicture, cause: noCause, sent: null, told: null, delayMs: null }
}

function sameFields<T extends object>(one: T | null, other: T): boolean {
  return one !== null && (Object.keys(other) as (keyof T)[]).every((name) => one[name] === other[name])
}
