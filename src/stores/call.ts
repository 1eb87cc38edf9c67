import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import type { HealthState } from '../domain/call-health.ts'
import {
  type CallEffect,
  type CallEvent,
  type CallState,
  type CallWaits,
  step,
  UNNAMED_PEER,
} from '../domain/call-machine.ts'

/** Carries an effect out; what comes of it is dispatched as an event. */
export type RunEffect = (effect: CallEffect, dispatch: (event: CallEvent) => void) => void

export type CallStore = ReturnType<typeof createCallStore>

export function createCallStore(run: RunEffect, waits: CallWaits) {
  const state = signal<CallState>({ phase: 'idle' })
  const remote = signal<MediaStream | null>(null)
  const health = signal<HealthState['phase']>('starting')

  const events: CallEvent[] = []
  let busy = false

  /** What an effect brings about at once waits until the other effects of its step are carried out. */
  function dispatch(event: CallEvent): void {
    events.push(event)
    if (busy) return
    busy = true
    try {
      for (let next = events.shift(); next; next = events.shift()) take(next)
    } finally {
      busy = false
    }
  }

  function take(event: CallEvent): void {
    const next = step(state.peek(), event, waits)
    state.value = next.state
    for (const effect of next.effects) run(effect, dispatch)
  }

  return {
    state: state as ReadonlySignal<CallState>,
    phase: computed(() => state.value.phase),
    /** `UNNAMED_PEER` while it is not known. */
    peerNickName: computed(() => ('peer' in state.value && state.value.peer?.nickName) || UNNAMED_PEER),
    /** Seconds until Next and Exit are allowed; 0 when they are. */
    nextIn: computed(() => (state.value.phase === 'in-call' ? state.value.nextIn : 0)),
    /** Seconds until 'Understood' is allowed; 0 when it is. */
    understoodIn: computed(() => (state.value.phase === 'warned' ? state.value.understoodIn : 0)),
    /** The peer's picture and sound, null while there is no call. */
    remote: remote as ReadonlySignal<MediaStream | null>,
    /** How the connection of the call is doing. */
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
