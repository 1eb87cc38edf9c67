import { type HealthEvent, type HealthState, healthy, stepHealth } from '../domain/call-health.ts'
import type { CallSample } from '../domain/governor.ts'
import type { Clock, Log, PeerConnection } from '../domain/ports.ts'

const SAMPLE_MS = 1_000
/** Reading the statistics is most of what a call costs this thread: one that stays as good as it can be is read half as often. */
const CALM_AFTER = 10

export type CallWatchPorts = {
  clock: Clock
  log: Log
  /** Hears when this device is on another network, or on one again; the answer ends that. */
  onNetworkChange: (listener: () => void) => () => void
}

/** What comes of watching: `restart` the connection, `giveUp` the call, and how it is doing. */
export type CallWatchEvents = {
  restart(): void
  giveUp(): void
  changed(phase: HealthState['phase']): void
  /** True where nothing could be better. */
  sampled(sample: CallSample): boolean
}

/** Looks after one call at a time: reads its statistics every second or two, and tells when it needs healing. */
export function createCallWatch({ clock, log, onNetworkChange }: CallWatchPorts) {
  let stopWatching = () => {}
  let feed: (event: HealthEvent) => void = () => {}

  function start(peer: Pick<PeerConnection<unknown>, 'sample'>, events: CallWatchEvents): void {
    stopWatching()
    let state = healthy
    let reading = false
    let over = false
    /** Readings in a row in which nothing could be better. */
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

    /** One at a time: a busy browser answers late. */
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

    const stops = [
      clock.every(SAMPLE_MS, read),
      onNetworkChange(() => feed({ type: 'network-changed', at: clock.now() })),
    ]
    stopWatching = () => {
      over = true
      feed = () => {}
      for (const stop of stops) stop()
    }
  }

  return {
    start,
    /** What the connection says of itself. */
    connection(state: HealthState['connection']): void {
      feed({ type: 'connection', state, at: clock.now() })
    },
    /** The peer's picture begins. */
    arrived(): void {
      feed({ type: 'media-arrived', at: clock.now() })
    },
    stop(): void {
      stopWatching()
      stopWatching = () => {}
    },
  }
}
