import type { ReportType, Role } from '#protocol/hub.ts'

/** The life of one visit to matching and chat, as a pure machine: effects are data, time comes in as events. */

type Peer = { nickName: string; alias: string; userSessionId: string }
type Match = { session: string; role: Role; peerConnectionId: string; peer: Peer | null }

/** Why the visit ended on the dashboard; 'exit' and 'cancel' are the user's own wish. */
export type EndReason =
  | 'exit'
  | 'cancel'
  | 'not-allowed'
  | 'hub-unavailable'
  | 'replaced'
  | 'camera-refused'
  | 'relay-unavailable'

export type CallState =
  | { phase: 'idle' }
  /** Checking the block status, loading lists, connecting to the hub. */
  | { phase: 'preparing' }
  | { phase: 'searching' }
  /** Matched; the peer connection is being made. */
  | ({ phase: 'connecting' } & Match)
  /** The peer's video is here. `nextIn` counts the seconds until Next and Exit are allowed. */
  | ({ phase: 'in-call'; nextIn: number; reported: boolean } & Match)
  /** Reported by the peer: the call is over, the warning waits to be acknowledged for `understoodIn` seconds. `barred` may not go on after it. */
  | { phase: 'warned'; understoodIn: number; barred?: true }
  | { phase: 'ended'; reason: EndReason }

export type CallEvent =
  | { type: 'started' }
  | { type: 'ready' }
  | { type: 'failed'; reason: Exclude<EndReason, 'exit' | 'cancel'> }
  | { type: 'match-found'; session: string; role: Role; peerConnectionId: string }
  | { type: 'peer-named'; peer: Peer }
  | { type: 'description-received'; session: string; data: string }
  | { type: 'candidate-received'; session: string; data: string }
  | { type: 'description-made'; session: string; kind: 'offer' | 'answer'; data: string }
  | { type: 'candidate-made'; session: string; data: string }
  | { type: 'video-arrived'; session: string }
  /** The connection needs new addresses: it failed, the network changed, or media stopped. */
  | { type: 'connection-broken'; session: string }
  /** Nothing heals it any more. */
  | { type: 'connection-lost'; session: string }
  | { type: 'match-timed-out'; session: string }
  | { type: 'session-terminated'; session: string }
  | { type: 'reported-by-peer'; session: string }
  /** The server took this user's report; the end of the session follows. */
  | { type: 'report-taken'; session: string }
  | { type: 'tick' }
  | { type: 'next-pressed' }
  /** The user thinks about a report. */
  | { type: 'report-opened' }
  | { type: 'report-dropped' }
  | { type: 'report-chosen'; report: ReportType }
  | { type: 'understood-pressed' }
  | { type: 'exit-pressed' }
  | { type: 'cancel-pressed' }
  /** The hub has a new connection for this user: a queue place of the old one is gone. */
  | { type: 'hub-reconnected' }
  /** The hub was given up while a call went on; the user wants it back. */
  | { type: 'reconnect-pressed' }
  /** The pages of the call were left by other means. */
  | { type: 'left' }

export type CallEffect =
  | { type: 'prepare' }
  | { type: 'join-queue' }
  | { type: 'introduce'; peerConnectionId: string; session: string }
  | { type: 'open-peer'; session: string; role: Role }
  | { type: 'accept-description'; data: string }
  | { type: 'add-candidate'; data: string }
  | { type: 'send-description'; session: string; peerConnectionId: string; kind: 'offer' | 'answer'; data: string }
  | { type: 'send-candidate'; session: string; peerConnectionId: string; data: string }
  | { type: 'restart-ice' }
  | { type: 'start-match-timer'; session: string; ms: number }
  | { type: 'stop-match-timer' }
  | { type: 'start-ticking' }
  | { type: 'stop-ticking' }
  | { type: 'report-connected'; session: string }
  | { type: 'terminate'; session: string }
  | { type: 'report'; peerConnectionId: string; report: ReportType }
  /** Takes a picture of the peer for a report that may follow. */
  | { type: 'keep-evidence' }
  | { type: 'forget-evidence' }
  | { type: 'capture-evidence' }
  | { type: 'close-peer' }
  | { type: 'tell-peer-left'; nickName: string }
  | { type: 'tell-connection-lost'; nickName: string }
  | { type: 'tell-report-taken' }
  | { type: 'reconnect' }
  | { type: 'go'; to: 'buzzing' | 'chat' | 'dashboard' }
  /** Stops the hub and everything of this visit. */
  | { type: 'leave'; reason: EndReason }

export type CallWaits = { matchTimeoutMs: number; nextWaitSeconds: number; understoodWaitSeconds: number }
type Step = { state: CallState; effects: CallEffect[] }

/** The nickname of a peer whose name has not arrived; the screens have a word for it. */
export const UNNAMED_PEER = ''

function go(state: CallState, ...effects: CallEffect[]): Step {
  return { state, effects }
}

function requeue(...first: CallEffect[]): Step {
  return go(
    { phase: 'searching' },
    ...first,
    { type: 'close-peer' },
    { type: 'go', to: 'buzzing' },
    { type: 'join-queue' },
  )
}

function end(state: CallState, reason: EndReason): Step {
  const terminate: CallEffect[] = 'session' in state ? [{ type: 'terminate', session: state.session }] : []
  return go(
    { phase: 'ended', reason },
    { type: 'stop-match-timer' },
    { type: 'stop-ticking' },
    ...terminate,
    { type: 'close-peer' },
    { type: 'leave', reason },
  )
}

function peerLeft(state: Match): Step {
  return requeue(
    { type: 'stop-match-timer' },
    { type: 'stop-ticking' },
    { type: 'tell-peer-left', nickName: state.peer?.nickName ?? UNNAMED_PEER },
  )
}

/** The peer did not leave: the user's own report ended the session. */
function reportEnded(): Step {
  return requeue({ type: 'stop-ticking' })
}

/** Pure. An event that does not fit the phase, or is of another session, is late, not wrong: nothing changes. */
export function step(state: CallState, event: CallEvent, waits: CallWaits): Step {
  const stay: Step = { state, effects: [] }
  if ('session' in event && 'session' in state && event.session !== state.session) return stay

  switch (event.type) {
    case 'started':
      if (state.phase !== 'idle' && state.phase !== 'ended') return stay
      return go({ phase: 'preparing' }, { type: 'prepare' })

    case 'ready':
      if (state.phase !== 'preparing') return stay
      return go({ phase: 'searching' }, { type: 'join-queue' })

    case 'failed':
      if (state.phase === 'idle' || state.phase === 'ended') return stay
      // Whoever is suspended by this very report reads the warning first.
      if (state.phase === 'warned' && event.reason === 'not-allowed') return go({ ...state, barred: true })
      return end(state, event.reason)

    case 'match-found': {
      if (state.phase !== 'searching') return stay
      const { session, role, peerConnectionId } = event
      return go(
        { phase: 'connecting', session, role, peerConnectionId, peer: null },
        { type: 'start-match-timer', session, ms: waits.matchTimeoutMs },
        { type: 'open-peer', session, role },
        { type: 'introduce', peerConnectionId, session },
      )
    }

    case 'peer-named':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go({ ...state, peer: event.peer })

    case 'description-received':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go(state, { type: 'accept-description', data: event.data })

    case 'candidate-received':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go(state, { type: 'add-candidate', data: event.data })

    case 'description-made': {
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      const { session, peerConnectionId } = state
      return go(state, { type: 'send-description', session, peerConnectionId, kind: event.kind, data: event.data })
    }

    case 'candidate-made': {
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      const { session, peerConnectionId } = state
      return go(state, { type: 'send-candidate', session, peerConnectionId, data: event.data })
    }

    case 'video-arrived': {
      if (state.phase !== 'connecting') return stay
      const { session, role, peerConnectionId, peer } = state
      return go(
        { phase: 'in-call', session, role, peerConnectionId, peer, nextIn: waits.nextWaitSeconds, reported: false },
        { type: 'stop-match-timer' },
        { type: 'report-connected', session },
        { type: 'start-ticking' },
        { type: 'go', to: 'chat' },
      )
    }

    case 'connection-broken':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return state.role === 'Caller' ? go(state, { type: 'restart-ice' }) : stay

    case 'connection-lost': {
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      const nickName = state.peer?.nickName ?? UNNAMED_PEER
      return requeue(
        { type: 'stop-match-timer' },
        { type: 'stop-ticking' },
        { type: 'terminate', session: state.session },
        { type: 'tell-connection-lost', nickName },
      )
    }

    case 'match-timed-out': {
      if (state.phase !== 'connecting') return stay
      const { state: next, effects } = peerLeft(state)
      return go(next, { type: 'terminate', session: state.session }, ...effects)
    }

    case 'session-terminated':
      if (state.phase === 'in-call' && state.reported) return reportEnded()
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return peerLeft(state)

    case 'report-taken':
      if (state.phase !== 'in-call' || state.reported) return stay
      return go({ ...state, reported: true }, { type: 'tell-report-taken' })

    case 'reported-by-peer':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go(
        { phase: 'warned', understoodIn: waits.understoodWaitSeconds },
        { type: 'stop-match-timer' },
        { type: 'stop-ticking' },
        { type: 'capture-evidence' },
        { type: 'close-peer' },
        { type: 'start-ticking' },
        { type: 'go', to: 'chat' },
      )

    case 'tick': {
      if (state.phase === 'in-call') {
        const nextIn = Math.max(0, state.nextIn - 1)
        return go({ ...state, nextIn }, ...(nextIn === 0 ? [{ type: 'stop-ticking' } as const] : []))
      }
      if (state.phase === 'warned') {
        const understoodIn = Math.max(0, state.understoodIn - 1)
        return go({ ...state, understoodIn }, ...(understoodIn === 0 ? [{ type: 'stop-ticking' } as const] : []))
      }
      return stay
    }

    case 'next-pressed':
      if (state.phase !== 'in-call' || state.nextIn > 0) return stay
      return requeue({ type: 'stop-ticking' }, { type: 'terminate', session: state.session })

    case 'report-opened':
      return state.phase === 'in-call' ? go(state, { type: 'keep-evidence' }) : stay

    case 'report-dropped':
      return state.phase === 'in-call' ? go(state, { type: 'forget-evidence' }) : stay

    case 'report-chosen':
      if (state.phase !== 'in-call') return stay
      return go(state, { type: 'report', peerConnectionId: state.peerConnectionId, report: event.report })

    case 'understood-pressed':
      if (state.phase !== 'warned' || state.understoodIn > 0) return stay
      if (state.barred) return end(state, 'not-allowed')
      return requeue({ type: 'stop-ticking' })

    case 'exit-pressed':
      if (state.phase !== 'in-call' || state.nextIn > 0) return stay
      return end(state, 'exit')

    case 'cancel-pressed':
      if (state.phase !== 'preparing' && state.phase !== 'searching' && state.phase !== 'connecting') return stay
      return end(state, 'cancel')

    case 'hub-reconnected':
      return state.phase === 'searching' ? go(state, { type: 'join-queue' }) : stay

    case 'reconnect-pressed':
      return state.phase === 'in-call' ? go(state, { type: 'reconnect' }) : stay

    case 'left': {
      if (state.phase === 'idle' || state.phase === 'ended') return stay
      const { effects } = end(state, 'exit')
      return go({ phase: 'idle' }, ...effects.filter((effect) => effect.type !== 'leave'))
    }

    default:
      return event satisfies never
  }
}
