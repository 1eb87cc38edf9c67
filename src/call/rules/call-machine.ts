import type {
  CallEffect,
  CallEvent,
  CallState,
  CallWaits,
  Connecting,
  EndReason,
  Match,
  Reporting,
  SetupStep,
} from './call-state.ts'

/** One stay in matching and chat as a pure machine: effects are data, and events carry the time. */

type Step = { state: CallState; effects: CallEffect[] }

/** The nickname of a peer before the hub sends it; the screens show a general word instead. */
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
  const terminate: CallEffect[] =
    'matchId' in state && state.phase !== 'reporting' ? [{ type: 'terminate', matchId: state.matchId }] : []
  return go(
    { phase: 'ended', reason },
    { type: 'stop-match-timer' },
    { type: 'stop-ticking' },
    ...terminate,
    { type: 'close-peer' },
    { type: 'leave', reason },
  )
}

type Matched = Extract<CallState, { phase: 'connecting' | 'in-call' }>

/** The match is over, and the next search begins once no report dialog is open. */
function matchOver(state: Matched, ...first: CallEffect[]): Step {
  const stop: CallEffect[] = [{ type: 'stop-match-timer' }, { type: 'stop-ticking' }, ...first]
  return isReportOpen(state) ? go(reportingAfter(state), ...stop, { type: 'close-peer' }) : requeue(...stop)
}

function isReportOpen(state: CallState): boolean {
  return state.phase === 'in-call' && state.isReportOpen === true
}

function reportingAfter({ matchId, role, peerConnectionId, peer, shared }: Match): Reporting {
  return { phase: 'reporting', matchId, role, peerConnectionId, peer, shared }
}

/** The report dialog of a call that has ended is closed. */
function reportClosed({ isWarned, barred }: Reporting, waits: CallWaits, ...first: CallEffect[]): Step {
  if (!isWarned) return requeue(...first)
  const warned: CallState = { phase: 'warned', understoodIn: waits.understoodWaitSeconds }
  return go(barred ? { ...warned, barred } : warned, ...first, { type: 'start-ticking' }, { type: 'go', to: 'chat' })
}

function peerLeft(state: Matched): Step {
  return matchOver(state, { type: 'notify-peer-left', nickName: state.peer?.nickName ?? UNNAMED_PEER })
}

function connectionLost(state: Matched): Step {
  const nickName = state.peer?.nickName ?? UNNAMED_PEER
  return matchOver(state, { type: 'terminate', matchId: state.matchId }, { type: 'notify-connection-lost', nickName })
}

/** Whether a step changed nothing: there was no transition for the event. */
export function isIgnored(before: CallState, { state, effects }: Step): boolean {
  return state === before && effects.length === 0
}

/** Ends with the match's own time, whatever it waits for: a step may be slow, and the hub tells of a peer that is gone. */
function startMatchTimer({ matchId, awaits, deadline }: Connecting, at: number): CallEffect {
  return { type: 'start-match-timer', matchId, ms: Math.max(0, deadline - at), missing: awaits }
}

/** The match waits for this step from now on. */
function advance(before: Connecting, awaits: SetupStep, at: number, ...first: CallEffect[]): Step {
  const state: Connecting = { ...before, awaits }
  return go(state, ...first, { type: 'stop-match-timer' }, startMatchTimer(state, at))
}

/** Pure. An event that does not fit the phase, or belongs to another match, came too late and is ignored. */
export function step(state: CallState, event: CallEvent, waits: CallWaits): Step {
  const stay: Step = { state, effects: [] }
  if ('matchId' in event && 'matchId' in state && event.matchId !== state.matchId) return stay

  switch (event.type) {
    case 'started':
      if (state.phase !== 'idle' && state.phase !== 'ended') return stay
      return go({ phase: 'preparing' }, { type: 'prepare' })

    case 'ready':
      if (state.phase !== 'preparing') return stay
      return go({ phase: 'searching' }, { type: 'join-queue' })

    case 'failed':
      if (state.phase === 'idle' || state.phase === 'ended') return stay
      // The report suspends this user, who reads the warning first.
      if (
        (state.phase === 'warned' || (state.phase === 'reporting' && state.isWarned)) &&
        event.reason === 'not-allowed'
      )
        return go({ ...state, barred: true })
      return end(state, event.reason)

    case 'match-found': {
      if (state.phase !== 'searching') return stay
      const { matchId, role, peerConnectionId, at, shared } = event
      const awaits = role === 'Caller' ? 'answer' : 'offer'
      const deadline = at + waits.matchTimeoutMs
      const match: Match = { matchId, role, peerConnectionId, peer: null, shared }
      const next: Connecting = { phase: 'connecting', awaits, deadline, ...match }
      return go(
        next,
        startMatchTimer(next, at),
        { type: 'open-peer', matchId, role },
        { type: 'introduce', peerConnectionId, matchId },
      )
    }

    case 'peer-named':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go({ ...state, peer: event.peer })

    case 'description-received':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      if (state.phase === 'connecting' && state.role === 'Caller')
        return advance(state, 'connection', event.at, { type: 'accept-description', data: event.data })
      return go(state, { type: 'accept-description', data: event.data })

    case 'candidate-received':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return go(state, { type: 'add-candidate', data: event.data })

    case 'description-made': {
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      const { matchId, peerConnectionId } = state
      const { kind, data, at } = event
      const send: CallEffect = { type: 'send-description', matchId, peerConnectionId, kind, data }
      if (state.phase === 'connecting' && kind === 'answer') return advance(state, 'connection', at, send)
      return go(state, send)
    }

    case 'candidate-made': {
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      const { matchId, peerConnectionId } = state
      return go(state, { type: 'send-candidate', matchId, peerConnectionId, data: event.data })
    }

    case 'peer-connected':
      return state.phase === 'connecting' ? advance(state, 'picture', event.at) : stay

    case 'video-arrived': {
      if (state.phase !== 'connecting') return stay
      const { matchId, role, peerConnectionId, peer, shared } = state
      return go(
        { phase: 'in-call', matchId, role, peerConnectionId, peer, shared, nextIn: waits.nextWaitSeconds },
        { type: 'stop-match-timer' },
        { type: 'report-connected', matchId },
        { type: 'start-ticking' },
        { type: 'go', to: 'chat' },
      )
    }

    case 'connection-broken':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      if (state.phase === 'in-call' && state.isForgotten) return connectionLost(state)
      return state.role === 'Caller' ? go(state, { type: 'restart-ice' }) : stay

    case 'connection-lost':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return connectionLost(state)

    case 'match-forgotten':
      if (state.phase !== 'in-call') return stay
      // Where pictures go on, the hub may only be late in taking the match over from another server.
      return event.isBroken ? connectionLost(state) : go({ ...state, isForgotten: true })

    case 'match-timed-out': {
      if (state.phase !== 'connecting') return stay
      const { state: next, effects } = peerLeft(state)
      return go(next, { type: 'terminate', matchId: state.matchId }, ...effects)
    }

    case 'match-terminated':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      return peerLeft(state)

    case 'reported-by-peer':
      if (state.phase !== 'connecting' && state.phase !== 'in-call') return stay
      if (isReportOpen(state))
        return go(
          { ...reportingAfter(state), isWarned: true },
          { type: 'stop-ticking' },
          { type: 'capture-evidence' },
          { type: 'close-peer' },
        )
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
      return requeue({ type: 'stop-ticking' }, { type: 'terminate', matchId: state.matchId })

    case 'peer-missed':
      if (state.phase !== 'in-call' || state.nextIn === 0) return stay
      return go({ ...state, nextIn: 0 }, { type: 'stop-ticking' })

    case 'report-opened':
      return state.phase === 'in-call' ? go({ ...state, isReportOpen: true }, { type: 'keep-evidence' }) : stay

    case 'report-dropped': {
      const forget: CallEffect = { type: 'forget-evidence' }
      if (state.phase === 'reporting') return reportClosed(state, waits, forget)
      if (state.phase !== 'in-call') return stay
      const { isReportOpen: _, ...open } = state
      return go(open, forget)
    }

    case 'report-chosen': {
      if (state.phase !== 'in-call' && state.phase !== 'reporting') return stay
      const { matchId, peerConnectionId } = state
      const { report, details } = event
      const send: CallEffect = { type: 'report', matchId, peerConnectionId, report, details }
      if (state.phase === 'reporting') return reportClosed(state, waits, send)
      return requeue(send, { type: 'stop-ticking' }, { type: 'terminate', matchId })
    }

    case 'understood-pressed':
      if (state.phase !== 'warned' || state.understoodIn > 0) return stay
      if (state.barred) return end(state, 'not-allowed')
      return requeue({ type: 'stop-ticking' })

    case 'exit-pressed':
      if (state.phase !== 'in-call' || state.nextIn > 0) return stay
      return end(state, 'exit')

    case 'leave-now-pressed':
      if (state.phase === 'reporting' && state.isWarned) return reportClosed(state, waits, { type: 'forget-evidence' })
      return state.phase === 'in-call' || state.phase === 'reporting' ? end(state, 'exit') : stay

    case 'cancel-pressed':
      if (state.phase !== 'preparing' && state.phase !== 'searching' && state.phase !== 'connecting') return stay
      return end(state, 'cancel')

    case 'hub-reconnected':
      // While the hub was away for long, as in a frozen tab, it may have ended the match without a way to say so.
      if (state.phase === 'in-call') return go(state, { type: 'confirm-match', matchId: state.matchId })
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
