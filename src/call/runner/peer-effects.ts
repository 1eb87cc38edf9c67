import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { PeerConnection, PeerEvent } from '../ports.ts'
import { type CallState, isMatched } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import type { ConnectionReport } from './connection-report.ts'
import type { Dispatch, EffectHandlers } from './effect-handlers.ts'
import type { ExperienceReport } from './experience-report.ts'
import type { MatchSpans } from './match-spans.ts'
import type { PendingInvocations } from './pending-invocations.ts'
import type { ReadyPeer } from './ready-peer.ts'
import type { CallWatch, CallWatchEvents } from './watch.ts'

type PeerEffectType = 'open-peer' | 'accept-description' | 'restart-ice' | 'close-peer'
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

/** Opens and closes the peer connection of a match, and hands it the peer's signalling. */
export function createPeerEffects(parts: Parts, stores: CallStores) {
  const { ready, watch, report, experience, spans, pending } = parts
  const { call, dataUse, devices, quality, sounds, typing } = stores
  let peer: Peer | null = null

  const handlers: EffectHandlers<PeerEffectType> = {
    'open-peer'({ matchId, role }, dispatch) {
      spans.matched(matchId)
      sounds.play('match')
      peer?.close()
      pending.endMatch()
      call.showHealth('starting')
      const opened = ready.take(role, (event) => handlePeerEvent(parts, stores, matchId, event, dispatch))
      if (!opened) {
        dispatch({ type: 'failed', reason: 'camera-refused' })
        return
      }
      peer = opened
      report.begin()
      experience.begin()
      watch.start(opened, watchEvents(parts, stores, matchId, opened, dispatch))
    },

    'accept-description': ({ data }) => peer?.accept(data),
    'restart-ice': () => peer?.restartIce(),

    'close-peer'() {
      // The video element releases the stream first: a connection that is closed before would stay in memory.
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
  }

  return {
    handlers,
    /** The peer connection of the match, null while there is none. */
    current: () => peer,
  }
}

function watchEvents(
  { log, report, experience }: Parts,
  { call, dataUse, quality }: CallStores,
  matchId: string,
  peer: Peer,
  dispatch: Dispatch,
): CallWatchEvents {
  return {
    restart() {
      log.info('The peer connection is restarted')
      dispatch({ type: 'connection-broken', matchId })
    },
    giveUp() {
      report.broken()
      experience.broken()
      dispatch({ type: 'connection-lost', matchId })
    },
    changed: (phase) => call.showHealth(phase),
    sampled(sample) {
      report.sampled(sample)
      experience.sampled(sample, quality.peerPicture.peek() === 'moving')
      dataUse.take(sample)
      return quality.take(sample, peer)
    },
  }
}

function handlePeerEvent(
  { clock, log, watch, report, experience, spans, pending }: Parts,
  { call, quality }: CallStores,
  matchId: string,
  event: PeerEvent<MediaStream>,
  dispatch: Dispatch,
): void {
  switch (event.type) {
    case 'description':
      dispatch({ type: 'description-made', matchId, kind: event.kind, data: event.data, at: clock.now() })
      break
    case 'candidate':
      sendCandidate(pending, call.state.peek(), matchId, event.data)
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
}

/** Sends a candidate of this side. One of a match that is over is dropped. */
function sendCandidate(pending: PendingInvocations, state: CallState, matchId: string, data: string): void {
  if (!isMatched(state) || state.matchId !== matchId) return
  const { peerConnectionId } = state
  pending.send('HandleIceCandidate', 'match', () => [matchId, peerConnectionId, data])
}
