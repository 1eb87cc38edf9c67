import { type HealthEvent, type HealthState, healthy, stepHealth } from '../domain/call-health.ts'
import type { CallSample } from '../domain/governor.ts'
import type { PeerConnection } from '../domain/ports.ts'
import type { CallPorts } from './effect-handlers.ts'

const SAMPLE_MS = 1_000
/** Reading statistics is the largest cost of a call on this thread: after this many perfect readings it is done half as often. */
const CALM_AFTER = 10
/**
 * After the peer's picture has become slower: a network that suddenly carries less mostly does so in both directions, and the browser's
 * estimate shows it 1.4 s later. These readings find that at once, and are used for nothing else.
 */
const CLOSE_READ_MS = 250
const CLOSE_READS = 12
/** A hostile peer may change the frame rate all the time. */
const CHECKS_BETWEEN = 15
/** Share of the frames of the second before below which the picture has become slower, and the fewest that say anything. */
const SLOWED = 0.67
const FRAMES_MIN = 10

type Ports = Pick<CallPorts, 'clock' | 'log' | 'onNetworkChange'>

/** Called by the watch: `restart` the peer connection, `giveUp` the call, and every change of its health. */
export type CallWatchEvents = {
  restart(): void
  giveUp(): void
  changed(phase: HealthState['phase']): void
  /** Returns whether the call is as good as it can be. */
  sampled(sample: CallSample): boolean
  /** Returns whether this sample cannot wait for the next reading. */
  isUrgent(sample: CallSample): boolean
  /** Frames of the peer's picture shown so far; null if there is none on the screen. */
  shownFrames(): number | null
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
    const hasSlowed = createPaceCheck(() => events.shownFrames())
    let stopCloseReads = () => {}
    let closeReads = 0

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
    function read(isWanted: (sample: CallSample) => boolean): void {
      if (reading) return
      reading = true
      peer
        .sample()
        .then((sample) => {
          if (over || !isWanted(sample)) return
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

    function tick(): void {
      if (hasSlowed()) readClosely()
      skipped = calm >= CALM_AFTER && !skipped
      if (!skipped) read(() => true)
    }

    function readClosely(): void {
      stopCloseReads()
      closeReads = CLOSE_READS
      stopCloseReads = clock.every(CLOSE_READ_MS, () => {
        closeReads -= 1
        if (closeReads === 0) stopCloseReads()
        read((sample) => {
          const isUrgent = events.isUrgent(sample)
          if (isUrgent) stopCloseReads()
          return isUrgent
        })
      })
    }

    const unsubscribes = [
      clock.every(SAMPLE_MS, tick),
      onNetworkChange(() => feed({ type: 'network-changed', at: clock.now() })),
    ]
    stopWatching = () => {
      over = true
      feed = () => {}
      stopCloseReads()
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

/** Returns a function that is called once a second and returns whether the picture has just become slower. */
function createPaceCheck(shownFrames: () => number | null) {
  let last: number | null = null
  let pace = 0
  let wait = 0
  return (): boolean => {
    const now = shownFrames()
    const grown = now === null || last === null ? 0 : Math.max(0, now - last)
    const hasSlowed = now !== null && pace >= FRAMES_MIN && grown < pace * SLOWED
    last = now
    pace = grown
    wait = Math.max(0, wait - 1)
    if (!hasSlowed || wait > 0) return false
    wait = CHECKS_BETWEEN
    return true
  }
}
