import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PeerConnection, PeerEvent } from '../ports.ts'
import { type HealthEvent, type HealthState, healthy, stepHealth } from '../rules/call-health.ts'
import type { CallSample } from '../rules/call-reading.ts'
import { isMatched } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import type { CallPorts, Dispatch, EffectHandlers } from './effect-handlers.ts'
import type { ConnectionReport, ExperienceReport, MatchSpans } from './match-reports.ts'
import type { PendingInvocations } from './pending-invocations.ts'
import type { ReadyPeer } from './ready-peer.ts'

type Parts = {
  clock: Pick<Clock, 'now'>
  log: Log
  ready: ReadyPeer
  watch: CallWatch
  report: ConnectionReport
  experience: ExperienceReport
  spans: MatchSpans
  pending: PendingInvocations
}
type Peer = PeerConnection<MediaStream>

/** Opens and closes the peer connection of a match, and passes the peer's signalling to it. */
export function createPeerEffects(parts: Parts, stores: CallStores) {
  const { ready, watch, report, experience, spans, pending } = parts
  const { call, dataUse, devices, quality, sounds, typing } = stores
  let peer: Peer | null = null

  const handlers = {
    'open-peer'({ matchId, role }, dispatch) {
      spans.matched(matchId)
      sounds.play('match')
      peer?.close()
      pending.endMatch()
      call.showHealth('starting')
      const events = matchEvents(parts, stores, matchId, dispatch)
      const opened = ready.take(role, events.received)
      if (!opened) {
        dispatch({ type: 'failed', reason: 'camera-refused' })
        return
      }
      peer = opened
      report.begin()
      experience.begin()
      watch.start(opened, events.watched(opened))
    },

    'accept-description': ({ data }) => peer?.accept(data),
    'restart-ice': () => peer?.restartIce(),

    'close-peer'() {
      // The video element must release the stream before the connection is closed: otherwise the connection stays in memory.
      call.showRemote(null)
      devices.forgetEvidence()
      typing.forgetPeer()
      watch.stop()
      quality.stop()
      dataUse.stop()
      report.end()
      experience.end()
      peer?.close()
      peer = null
      pending.endMatch()
      spans.ended()
    },
  } satisfies Partial<EffectHandlers>

  return {
    handlers,
    /** The peer connection of the match, null while there is none. */
    current: () => peer,
  }
}

/** Returns the handlers for the events of a match's peer connection and of its watch. */
function matchEvents(
  { clock, log, watch, report, experience, spans, pending }: Parts,
  { call, dataUse, quality }: CallStores,
  matchId: string,
  dispatch: Dispatch,
) {
  /** Sends a candidate, unless the match is over. */
  function sendCandidate(data: string): void {
    const state = call.state.peek()
    if (!isMatched(state) || state.matchId !== matchId) return
    const { peerConnectionId } = state
    pending.send('HandleIceCandidate', 'match', () => [matchId, peerConnectionId, data])
  }

  return {
    received(event: PeerEvent<MediaStream>): void {
      switch (event.type) {
        case 'description':
          dispatch({ type: 'description-made', matchId, kind: event.kind, data: event.data, at: clock.now() })
          break
        case 'candidate':
          sendCandidate(event.data)
          break
        case 'remote-stream':
          call.showRemote(event.stream)
          break
        case 'video-arrived':
          watch.arrived()
          spans.pictureArrived()
          experience.pictureArrived()
          dispatch({ type: 'video-arrived', matchId })
          break
        case 'connection':
          log.info(`The peer connection is ${event.state}`)
          if (event.state === 'connected') {
            report.connected()
            dispatch({ type: 'peer-connected', matchId, at: clock.now() })
          }
          watch.connection(event.state)
          break
        case 'peer-status':
          quality.hear(event.status)
          break
        case 'fault':
          log.error(`The peer connection failed: ${event.code} ${event.message}`)
          break
        default:
          event satisfies never
      }
    },

    watched: (peer: Peer): CallWatchEvents => ({
      restart() {
        log.info('The peer connection is restarted')
        dispatch({ type: 'connection-broken', matchId })
      },
      giveUp() {
        report.broken()
        experience.broken()
        dispatch({ type: 'connection-lost', matchId })
      },
      changed: call.showHealth,
      sampled(sample) {
        report.sampled(sample)
        experience.sampled(sample, quality.peerPicture.peek() === 'moving')
        dataUse.take(sample)
        return quality.take(sample, peer)
      },
    }),
  }
}

const SAMPLE_MS = 1_000
/**
 * Perfect readings in a row after which statistics are read half as often. Reading them takes more time of this thread
 * than anything else in a call.
 */
const CALM_AFTER = 10

type Ports = Pick<CallPorts, 'clock' | 'log' | 'onNetworkChange'>

/**
 * Called by the watch: `restart` when the peer connection needs an ICE restart, `giveUp` when restarts did not help,
 * `changed` with every change of the call's health.
 */
type CallWatchEvents = {
  restart(): void
  giveUp(): void
  changed(phase: HealthState['phase']): void
  /** Called with each sample. Returns whether the quality of the call is the best possible. */
  sampled(sample: CallSample): boolean
}

type CallWatch = ReturnType<typeof createCallWatch>

/** Watches one call at a time: reads statistics every second or two, and reports when it needs a restart. */
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

    /** One reading at a time: in a busy browser it may take longer than the interval. */
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
    connection(state: HealthState['connection']): void {
      feed({ type: 'connection', state, at: clock.now() })
    },
    arrived(): void {
      feed({ type: 'media-arrived', at: clock.now() })
    },
    stop(): void {
      stopWatching()
      stopWatching = () => {}
    },
  }
}
