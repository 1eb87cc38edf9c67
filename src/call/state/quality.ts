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
import type { CallSample, Conditions } from '../rules/call-reading.ts'
import {
  type GovernorState,
  type GovernorStep,
  governorStart,
  isAtBest,
  judge,
  type Signal,
  stepGovernor,
} from '../rules/governor.ts'
import { acceptedMedia, limitsOf, networkSteps, type SendLimits } from '../rules/send-ladder.ts'
import { noSmallPicture, type SmallPicture, stepSmallPicture } from '../rules/small-picture.ts'

/** What the peer says that it sends: a picture, or why there is none. Without a status: `moving`. */
type PeerPicture = 'moving' | 'stills' | 'camera-off' | NoPictureReason

export type QualityStore = ReturnType<typeof createQualityStore>

/** Samples between two changes that follow the peer's wishes. */
const SAMPLES_BETWEEN_WISHES = 5

type LimitedPeer = Pick<PeerConnection<unknown>, 'limit' | 'delayPlayback' | 'tell' | 'measure' | 'restoreSize'>
type Watched = {
  peer: LimitedPeer
  state: GovernorState
  small: SmallPicture
  cause: CauseState
  sent: SendLimits | null
  told: PeerStatus | null
  delayMs: number | null
}

/** Called with each decision of the governor, for the profiler. */
type QualityFollower = { stepped(step: GovernorStep): void; limited(limits: SendLimits): void }

type Ports = {
  page: PageState
  log: Log
  choice: ReadonlySignal<PictureChoice>
  /** Whether the camera's picture is sent. The peer is told. */
  hasCameraPicture: ReadonlySignal<boolean>
  /** Highest bit rate of the picture over a relay. */
  relayKbps: number
  /** Called with each sample after the first seconds of a call. Fits the resolution of the camera to the network. */
  fitCamera: (sample: CallSample) => void
  /** Called with every new cause of the quality. */
  explained: (record: CauseRecord) => void
}

/**
 * Shows the quality of the call. With each sample it limits what is sent and delays what is received. It tells the peer
 * what is sent, and follows the peer's wishes.
 */
export function createQualityStore({ page, log, choice, hasCameraPicture, relayKbps, fitCamera, explained }: Ports) {
  const indicator = signal<Signal>(governorStart.signal)
  const causes = createCauses(explained)
  const peerStatus = createPeerStatus()
  const { picture: peerPicture, tellsCameraOff } = peerStatus
  let watched: Watched | null = null
  let follower: QualityFollower | null = null

  /** Sets the limits if they have changed. A failed attempt is repeated with the next sample. */
  function limit(): void {
    const call = watched
    if (!call || !isDue(call.state)) return
    const wanted = limitsOf(call.state, choice.peek(), page.hidden(), peerStatus.accepted(), relayKbps)
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
      // The closed connection of an ended call rejects. This is no error.
      if (watched !== call) return
      if (call.sent === wanted) call.sent = null
      log.error('The picture that is sent could not be limited', thrown)
    })
  }

  function restoreSize(call: Watched): void {
    call.peer.restoreSize().catch((thrown: unknown) => {
      if (watched === call) log.error('The size of the picture could not be restored', thrown)
    })
  }

  function show({ signal: now }: GovernorState): void {
    const shown = indicator.peek()
    if (now.bars !== shown.bars || now.reason !== shown.reason) indicator.value = now
  }

  page.onVisibility(limit)
  choice.subscribe(limit)
  hasCameraPicture.subscribe(limit)

  return {
    indicator: indicator as ReadonlySignal<Signal>,
    peerPicture,
    tellsCameraOff,
    /** Whether the peer says that it sends a picture, moving or as stills. */
    hasPeerPicture: computed(() => peerPicture.value === 'moving' || peerPicture.value === 'stills'),
    cause: causes.current,
    /** The causes of this call, or of the last one. */
    causes: causes.all,

    /** Handles the next sample. Returns true if the quality is the best possible. */
    take(sample: CallSample, peer: LimitedPeer): boolean {
      const call = watched?.peer === peer ? watched : newCall(peer)
      if (call !== watched) {
        causes.forget()
        peerStatus.begin()
      }
      watched = call
      const isBest = read(call, sample, page, follower, () => restoreSize(call))
      show(call.state)
      peerStatus.show()
      causes.explain(call, peerStatus.heard())
      peerStatus.follow()
      limit()
      delay(call)
      if (call.state.settling === 0) fitCamera(sample)
      return isBest && call.small.small === 0
    },

    /** Takes a status of the peer. It is shown and followed only with a later sample, a hostile peer may send many. */
    hear: peerStatus.hear,

    /** The follower stays for the lifetime of the page. */
    follow(next: QualityFollower): void {
      follower = next
    },

    stop(): void {
      watched = null
      peerStatus.forget()
      indicator.value = governorStart.signal
      causes.stop()
    },
  }
}

/** The cause of the quality, and the list of causes of the call. The list stays until the next call. */
function createCauses(explained: Ports['explained']) {
  const current = signal<CallCause>('good')
  let causes: readonly CauseRecord[] = []
  return {
    current: current as ReadonlySignal<CallCause>,
    all: () => causes,
    explain(call: Watched, heard: PeerStatus | null): void {
      call.cause = stepCause(call.cause, call.state, heard)
      current.value = call.cause.cause
      const before = causes
      causes = withCause(causes, current.peek(), call.state)
      const added = causes.at(-1)
      if (causes !== before && added) explained(added)
    },
    forget(): void {
      causes = []
    },
    stop(): void {
      current.value = 'good'
    },
  }
}

/** The last status of the peer, and the wishes in it that are followed; null without a status. */
function createPeerStatus() {
  const picture = signal<PeerPicture>('moving')
  const tellsCameraOff = signal(false)
  let heard: PeerStatus | null = null
  let accepted: AcceptedMedia | null = null
  let samplesUntilNext = 0
  return {
    picture: picture as ReadonlySignal<PeerPicture>,
    /** Whether the peer's version says when its camera is off. */
    tellsCameraOff: tellsCameraOff as ReadonlySignal<boolean>,
    heard: () => heard,
    accepted: () => accepted,
    begin(): void {
      tellsCameraOff.value = false
    },
    hear(status: PeerStatus): void {
      heard = status
    },
    show(): void {
      picture.value = pictureSaid(heard)
      if (heard?.cameraOff !== undefined) tellsCameraOff.value = true
    },
    /** Called once per sample. Wishes may need a negotiation: a hostile peer must not cause one every second. */
    follow(): void {
      samplesUntilNext = Math.max(0, samplesUntilNext - 1)
      if (!heard || samplesUntilNext > 0 || sameFields(accepted, heard.accepts)) return
      accepted = heard.accepts
      samplesUntilNext = SAMPLES_BETWEEN_WISHES
    },
    forget(): void {
      heard = null
      accepted = null
      samplesUntilNext = 0
      picture.value = 'moving'
      tellsCameraOff.value = false
    },
  }
}

/** Applies the rules to a sample, and requests measurements. Returns true if the quality is the best possible. */
function read(
  call: Watched,
  sample: CallSample,
  page: PageState,
  follower: QualityFollower | null,
  restoreSize: () => void,
): boolean {
  const before = call.state
  const restored = call.small.asked
  const conditions: Conditions = {
    hidden: page.hidden(),
    longTaskMs: page.takeLongTaskMs(),
    ceilingKbps: call.sent?.ceilingKbps ?? null,
  }
  const state = stepGovernor(before, sample, conditions)
  call.state = state
  follower?.stepped({ before, after: state, sample, judgement: judge(before, sample, conditions) })
  if (state.recovery.asked > before.recovery.asked) call.peer.measure()
  const isBest = isAtBest(state)
  call.small = stepSmallPicture(call.small, sample, call.sent?.scaleDownBy ?? 1, isBest)
  if (state.recovery.found > before.recovery.found || call.small.asked > restored) restoreSize()
  return isBest
}

/** Tells the peer the status if it has changed. */
function tell(call: Watched, status: PeerStatus): void {
  const { told } = call
  const fields = ['noPicture', 'stills', 'weak', 'cameraOff'] as const
  const isSame = told !== null && fields.every((name) => told[name] === status[name])
  if (isSame && sameFields(told.accepts, status.accepts)) return
  call.told = status
  call.peer.tell(status)
}

function delay(call: Watched): void {
  const { delayMs } = call.state.loss
  if (delayMs === call.delayMs) return
  call.delayMs = delayMs
  call.peer.delayPlayback(delayMs)
}

function pictureSaid(heard: PeerStatus | null): PeerPicture {
  if (heard?.noPicture) return heard.noPicture
  if (heard?.cameraOff) return 'camera-off'
  return heard?.stills ? 'stills' : 'moving'
}

/** Whether limits are due. They wait for the first sent picture, except on a network that it would fill. */
function isDue({ last, network }: GovernorState): boolean {
  return Boolean(last?.bytesSent) || network.level > networkSteps.wide
}

function newCall(peer: LimitedPeer): Watched {
  return { peer, state: governorStart, small: noSmallPicture, cause: noCause, sent: null, told: null, delayMs: null }
}

function sameFields<T extends object>(one: T | null, other: T): boolean {
  return one !== null && (Object.keys(other) as (keyof T)[]).every((name) => one[name] === other[name])
}
