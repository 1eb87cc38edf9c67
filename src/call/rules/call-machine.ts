import type {
  CallEffect,
  CallEvent,
  CallState,
  CallWaits,
  Connecting,
  EndReason,
  Match,
  Matched,
  Reporting,
  SetupStep,
} from './call-state.ts'

/** One stay in matching and chat as a pure transition table: effects are data, and events carry the time. */

type Step = { state: CallState; effects: CallEffect[] }
type Phase = CallState['phase']
type StateOf<P extends Phase> = Extract<CallState, { phase: P }>
type EventOf<T extends CallEvent['type']> = Extract<CallEvent, { type: T }>
/** The transitions of a state. Events that are not listed are ignored. */
type Transitions<State> = {
  [T in CallEvent['type']]?: (state: State, event: EventOf<T>, waits: CallWaits) => Step
}

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

/** Ends the match. The next search begins at once, or when the open report dialog is closed. */
function matchOver(state: Matched, ...first: CallEffect[]): Step {
  const stop: CallEffect[] = [{ type: 'stop-match-timer' }, { type: 'stop-ticking' }, ...first]
  return isReportOpen(state) ? go(reportingAfter(state), ...stop, { type: 'close-peer' }) : requeue(...stop)
}

function isReportOpen(state: CallState): boolean {
  return state.phase === 'in-call' && state.isReportOpen === true
}

function matchOf({ matchId, role, peerConnectionId, peer, shared }: Match): Match {
  return { matchId, role, peerConnectionId, peer, shared }
}

function reportingAfter(match: Match): Reporting {
  return { phase: 'reporting', ...matchOf(match) }
}

/** Closes a report dialog that outlived its call: shows the warning if there is one, or else searches again. */
function reportClosed({ isWarned, barred }: Reporting, waits: CallWaits, ...first: CallEffect[]): Step {
  if (!isWarned) return requeue(...first)
  const state: CallState = barred ? { ...warned(waits), barred } : warned(waits)
  return go(state, ...first, { type: 'start-ticking' }, { type: 'go', to: 'chat' })
}

function reportOf({ matchId, peerConnectionId }: Match, { report, details }: EventOf<'report-chosen'>): CallEffect {
  return { type: 'report', matchId, peerConnectionId, report, details }
}

function peerLeft(state: Matched): Step {
  return matchOver(state, { type: 'notify-peer-left', nickName: state.peer?.nickName ?? UNNAMED_PEER })
}

function connectionLost(state: Matched): Step {
  const nickName = state.peer?.nickName ?? UNNAMED_PEER
  return matchOver(state, { type: 'terminate', matchId: state.matchId }, { type: 'notify-connection-lost', nickName })
}

function warned({ understoodWaitSeconds }: CallWaits): StateOf<'warned'> {
  return { phase: 'warned', understoodIn: understoodWaitSeconds }
}

/** Whether a step changed nothing, because the phase has no transition for the event. */
export function isIgnored(before: CallState, { state, effects }: Step): boolean {
  return state === before && effects.length === 0
}

/**
 * Starts the timer with the time until the deadline of the match, whatever step the match waits for. No step has a
 * deadline of its own, since a step may be slow, and the hub reports a peer that is gone.
 */
function startMatchTimer({ matchId, awaits, deadline }: Connecting, at: number): CallEffect {
  return { type: 'start-match-timer', matchId, ms: Math.max(0, deadline - at), missing: awaits }
}

/** Makes the match wait for this step. */
function advance(before: Connecting, awaits: SetupStep, at: number, ...first: CallEffect[]): Step {
  const state: Connecting = { ...before, awaits }
  return go(state, ...first, { type: 'stop-match-timer' }, startMatchTimer(state, at))
}

/** For an event that changes nothing now. */
const ignore = (state: CallState): Step => go(state)

/** The effects of a countdown that has `left` seconds. */
const stopAtZero = (left: number): CallEffect[] => (left === 0 ? [{ type: 'stop-ticking' }] : [])

const outside: Transitions<CallState> = {
  started: () => go({ phase: 'preparing' }, { type: 'prepare' }),
}

const onVisit: Transitions<StateOf<Exclude<Phase, 'idle' | 'ended'>>> = {
  failed(state, { reason }) {
    // After a report by the peer the hub refuses this user (`not-allowed`). The user reads the warning first.
    const isWarned = state.phase === 'warned' || (state.phase === 'reporting' && state.isWarned)
    return isWarned && reason === 'not-allowed' ? go({ ...state, barred: true }) : end(state, reason)
  },
  left(state) {
    const { effects } = end(state, 'exit')
    return go({ phase: 'idle' }, ...effects.filter((effect) => effect.type !== 'leave'))
  },
}

const cancelled = (state: CallState): Step => end(state, 'cancel')

/** The transitions while there is a match, from its setup on. */
const inMatch: Transitions<Matched> = {
  ...onVisit,
  'peer-named': (state, { peer }) => go({ ...state, peer }),
  'description-received'(state, { data, at }) {
    const accept: CallEffect = { type: 'accept-description', data }
    const isAnswer = state.phase === 'connecting' && state.role === 'Caller'
    return isAnswer ? advance(state, 'connection', at, accept) : go(state, accept)
  },
  'description-made'(state, { kind, data, at }) {
    const { matchId, peerConnectionId } = state
    const send: CallEffect = { type: 'send-description', matchId, peerConnectionId, kind, data }
    return state.phase === 'connecting' && kind === 'answer' ? advance(state, 'connection', at, send) : go(state, send)
  },
  'connection-broken'(state) {
    if (state.phase === 'in-call' && state.isForgotten) return connectionLost(state)
    return state.role === 'Caller' ? go(state, { type: 'restart-ice' }) : ignore(state)
  },
  'connection-lost': connectionLost,
  'match-terminated': peerLeft,
  'reported-by-peer'(state, _event, waits) {
    const stop: CallEffect[] = [{ type: 'stop-ticking' }, { type: 'capture-evidence' }, { type: 'close-peer' }]
    if (isReportOpen(state)) return go({ ...reportingAfter(state), isWarned: true }, ...stop)
    const show: CallEffect[] = [{ type: 'start-ticking' }, { type: 'go', to: 'chat' }]
    return go(warned(waits), { type: 'stop-match-timer' }, ...stop, ...show)
  },
}

const transitions: { [P in Phase]: Transitions<StateOf<P>> } = {
  idle: outside,
  ended: outside,
  preparing: {
    ...onVisit,
    ready: () => go({ phase: 'searching' }, { type: 'join-queue' }),
    'cancel-pressed': cancelled,
  },
  searching: {
    ...onVisit,
    'match-found'(_state, { matchId, role, peerConnectionId, at, shared }, waits) {
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
    },
    'hub-reconnected': (state) => go(state, { type: 'join-queue' }),
    'cancel-pressed': cancelled,
  },
  connecting: {
    ...inMatch,
    'peer-connected': (state, { at }) => advance(state, 'picture', at),
    'video-arrived': (state, _event, waits) =>
      go(
        { phase: 'in-call', ...matchOf(state), nextIn: waits.nextWaitSeconds },
        { type: 'stop-match-timer' },
        { type: 'report-connected', matchId: state.matchId },
        { type: 'start-ticking' },
        { type: 'go', to: 'chat' },
      ),
    'match-timed-out'(state) {
      const { state: next, effects } = peerLeft(state)
      return go(next, { type: 'terminate', matchId: state.matchId }, ...effects)
    },
    'cancel-pressed': cancelled,
  },
  'in-call': {
    ...inMatch,
    // If media still arrives, the hub may only be late in taking the match over from another server.
    'match-forgotten': (state, { isBroken }) =>
      isBroken ? connectionLost(state) : go({ ...state, isForgotten: true }),
    // While the hub connection was lost, for example in a frozen tab, the hub may have ended the match.
    'hub-reconnected': (state) => go(state, { type: 'confirm-match', matchId: state.matchId }),
    'reconnect-pressed': (state) => go(state, { type: 'reconnect' }),
    tick(state) {
      const nextIn = Math.max(0, state.nextIn - 1)
      return go({ ...state, nextIn }, ...stopAtZero(nextIn))
    },
    'peer-missed': (state) => (state.nextIn === 0 ? ignore(state) : go({ ...state, nextIn: 0 }, ...stopAtZero(0))),
    'next-pressed'(state) {
      if (state.nextIn > 0) return ignore(state)
      return requeue({ type: 'stop-ticking' }, { type: 'terminate', matchId: state.matchId })
    },
    'exit-pressed': (state) => (state.nextIn > 0 ? ignore(state) : end(state, 'exit')),
    'leave-now-pressed': (state) => end(state, 'exit'),
    'report-opened': (state) => go({ ...state, isReportOpen: true }, { type: 'keep-evidence' }),
    'report-dropped': ({ isReportOpen: _, ...open }) => go(open, { type: 'forget-evidence' }),
    'report-chosen'(state, event) {
      const { matchId } = state
      return requeue(reportOf(state, event), { type: 'stop-ticking' }, { type: 'terminate', matchId })
    },
  },
  reporting: {
    ...onVisit,
    'report-dropped': (state, _event, waits) => reportClosed(state, waits, { type: 'forget-evidence' }),
    'report-chosen': (state, event, waits) => reportClosed(state, waits, reportOf(state, event)),
    'leave-now-pressed': (state, _event, waits) =>
      state.isWarned ? reportClosed(state, waits, { type: 'forget-evidence' }) : end(state, 'exit'),
  },
  warned: {
    ...onVisit,
    tick(state) {
      const understoodIn = Math.max(0, state.understoodIn - 1)
      return go({ ...state, understoodIn }, ...stopAtZero(understoodIn))
    },
    'understood-pressed'(state) {
      if (state.understoodIn > 0) return ignore(state)
      return state.barred ? end(state, 'not-allowed') : requeue({ type: 'stop-ticking' })
    },
  },
}

/** Pure. Ignores an event that does not fit the phase or belongs to another match: it came too late. */
export function step(state: CallState, event: CallEvent, waits: CallWaits): Step {
  if ('matchId' in event && 'matchId' in state && event.matchId !== state.matchId) return ignore(state)
  // The compiler cannot see that the row and the column of the table are those of `state` and `event`.
  const transition = (transitions[state.phase] as Transitions<CallState>)[event.type] as
    | ((of: CallState, at: CallEvent, waiting: CallWaits) => Step)
    | undefined
  return transition?.(state, event, waits) ?? ignore(state)
}
