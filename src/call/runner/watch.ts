import type { PeerConnection } from '../ports.ts'
import { type HealthEvent, type HealthState, healthy, stepHealth } from '../rules/call-health.ts'
import type { CallSample } from '../rules/governor.ts'
import type { CallPorts } from './effect-handlers.ts'

const SAMPLE_MS = 1_000
/** Reading statistics is the largest cost of a call on this thread: after this many perfect readings it is done half as often. */
const CALM_AFTER = 10

type Ports = Pick<CallPorts, 'clock' | 'log' | 'onNetworkChange'>

/** Called by the watch: `restart` the peer connection, `giveUp` the call, and every change of its health. */
export type CallWatchEvents = {
  restart(): void
  giveUp(): void
  changed(phase: HealthState['phase']): void
  /** Returns whether the call is as good as it can be. */
  sampled(sample: CallSample): boolean
}

export type CallWatch = ReturnType<typeof createCallWatch>

/** Watches one call at a time: reads its statistics every second or two, and reports when it needs a restart. */
export function createCallWatch({ clock, log, onNetworkChange }: Ports) {
  let stopWatching = () => {}
  let feed: (event: HealthEvent) => void = () => {}

  function start(peer: Pick<PeerConnection<unknown>, 'sample'>, events: CallWatchEvents): void {
    stopWatching()
    let state = healthy
    let reading = false
    let over = false
    /** Perfect readings in a row. */
    let calm = 0
    let skipped = false

    feed = (event) => {
      const { phase } = state
      if (event.type !== 'sample') calm = 0
      const next = stepHealth(state, event)
      state = next.state
      if (state.phase !== phase) events.changed(state.phase)
      if (next.advice === 'restart') events.restart()
      if (next.advice === 'give-up') events.giveUp()
    }

    /** One at a time: in a busy browser a reading may take longer than the interval. */
    function read(): void {
      skipped = calm >= CALM_AFTER && !skipped
      if (reading || skipped) return
      reading = true
      peer
        .sample()
        .then((sample) => {
          if (over) return
          feed({ type: 'sample', sample: { ...sample, at: clock.now() } })
          if (over) return
          calm = events.sampled(sample) && state.phase === 'well' ? calm + 1 : 0
        })
        .catch((thrown: unknown) => {
          if (!over) log.error('The statistics of the call could not be read', thrown)
        })
        .finally(() => {
          reading = false
        })
    }

    const unsubscribes = [
      clock.every(SAMPLE_MS, read),
      onNetworkChange(() => feed({ type: 'network-changed', at: clock.now() })),
    ]
    stopWatching = () => {
      over = true
      feed = () => {}
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }

  return {
    start,
    /** The state that the peer connection reports. */
    connection(state: HealthState['connection']): void {
      feed({ type: 'connection', state, at: clock.now() })
    },
    /** The peer's video has begun. */
    arrived(): void {
      feed({ type: 'media-arrived', at: clock.now() })
    },
    stop(): void {
      stopWatching()
      stopWatching = () => {}
    },
  }
}
