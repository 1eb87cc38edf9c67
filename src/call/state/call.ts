import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { PictureOf } from '#protocol/picture-state.ts'
import type { Devices } from '../../devices/use-devices.tsx'
import type { PictureChoiceStore } from '../../platform/state/picture-choice.ts'
import type { HealthState } from '../rules/call-health.ts'
import { isIgnored, step, UNNAMED_PEER } from '../rules/call-machine.ts'
import type { CallEffect, CallEvent, CallState, CallWaits } from '../rules/call-state.ts'
import type { QualityStore } from './quality.ts'

/** Carries out an effect; its result is dispatched as an event. */
type RunEffect = (effect: CallEffect, dispatch: (event: CallEvent) => void) => void

export type CallStore = ReturnType<typeof createCallStore>

type Ports = {
  run: RunEffect
  waits: CallWaits
  /** Called for every event that the machine has no transition for. */
  ignored: (event: CallEvent['type'], phase: CallState['phase']) => void
}

/** The state of the call, and the values that the screens show of it. */
export function createCallStore({ run, waits, ignored }: Ports) {
  const state = signal<CallState>({ phase: 'idle' })
  const remote = signal<MediaStream | null>(null)
  const health = signal<HealthState['phase']>('starting')

  const events: CallEvent[] = []
  let busy = false

  /** Queues an event that an effect dispatches synchronously until all effects of its step are carried out. */
  function dispatch(event: CallEvent): void {
    events.push(event)
    if (busy) return
    busy = true
    try {
      for (let next = events.shift(); next; next = events.shift()) apply(next)
    } finally {
      busy = false
    }
  }

  function apply(event: CallEvent): void {
    const before = state.peek()
    const next = step(before, event, waits)
    if (isIgnored(before, next)) ignored(event.type, before.phase)
    state.value = next.state
    for (const effect of next.effects) run(effect, dispatch)
  }

  return {
    state: state as ReadonlySignal<CallState>,
    phase: computed(() => state.value.phase),
    /** Id of the match while the call is connected, else null. */
    match: computed(() => (state.value.phase === 'in-call' ? state.value.matchId : null)),
    /** `UNNAMED_PEER` until the hub has named the peer. */
    peerNickName: computed(() => ('peer' in state.value && state.value.peer?.nickName) || UNNAMED_PEER),
    /** What the two users share; null without a match, or if the hub did not send it. */
    shared: computed(() => ('shared' in state.value && state.value.shared) || null),
    /** Seconds until Next and Exit are allowed; 0 if they are. */
    nextIn: computed(() => (state.value.phase === 'in-call' ? state.value.nextIn : 0)),
    /** Seconds until 'Understood' is allowed; 0 if it is. */
    understoodIn: computed(() => (state.value.phase === 'warned' ? state.value.understoodIn : 0)),
    /** The peer's video and audio; null without a call. */
    remote: remote as ReadonlySignal<MediaStream | null>,
    health: health as ReadonlySignal<HealthState['phase']>,
    showHealth(phase: HealthState['phase']): void {
      health.value = phase
    },
    showRemote(stream: MediaStream | null): void {
      remote.value = stream
    },
    dispatch,
  }
}

type Senders = {
  call: Pick<CallStore, 'health'>
  quality: Pick<QualityStore, 'peerPicture'>
  devices: Pick<Devices['devices'], 'hasCameraPicture'>
  pictureChoice: Pick<PictureChoiceStore, 'choice'>
}

/** Returns, for the peer and for this user, whether a moving picture is expected. Reads signals. */
export function movingPictures({ call, quality, devices, pictureChoice }: Senders): Record<PictureOf, boolean> {
  return {
    peer: call.health.value === 'well' && quality.peerPicture.value === 'moving',
    // A user who chose sound only may cover the lens.
    own: devices.hasCameraPicture.value && pictureChoice.choice.value !== 'sound',
  }
}
