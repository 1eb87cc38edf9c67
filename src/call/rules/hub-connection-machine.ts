import type { ErrorCode } from '#protocol/errors.ts'
import { hubErrorCode } from '#protocol/hub.ts'
import type { HubState } from '../ports.ts'
import { type HubRoute, isExhausted, movedOn, originOf, refreshed, routeOver } from './hub-route.ts'

/**
 * The hub connection from start to stop, as a pure transition table. A hub connection is a series of SignalR
 * connections with rising numbers.
 */

type Place = { connection: number; route: HubRoute }

export type HubConnectionState =
  | { phase: 'disconnected'; connection: number }
  /** Opens the first connection since the start: tries each region, and each once more after all have failed. */
  | ({ phase: 'connecting'; isLastRound: boolean } & Place)
  | ({ phase: 'connected' } & Place)
  /** The socket broke, and the SignalR library opens another socket for the same connection. */
  | ({ phase: 'reattaching' } & Place)
  /** Waits before it opens a new connection. `attempts`: delays since the hub was last connected. */
  | ({ phase: 'waiting'; attempts: number } & Place)
  | ({ phase: 'reconnecting'; attempts: number } & Place)
  | ({ phase: 'gave-up' } & Place)

/** Events with a `connection` come from the SignalR connection of that number. */
export type HubConnectionEvent =
  | { type: 'started'; origins: readonly string[] }
  | { type: 'stopped' }
  /** The page is visible again, or the network is back. */
  | { type: 'woken' }
  | { type: 'delay-passed' }
  /** The SignalR library asks for a token before it opens a socket, which includes each re-attachment. */
  | { type: 'token-requested'; connection: number }
  | { type: 'opened'; connection: number }
  | { type: 'message-received'; connection: number }
  /** `reason` is the hub's text, if it sent one. `mayReturn` is false after a Close that forbids a reconnect. */
  | { type: 'ended'; connection: number; reason: string; mayReturn: boolean }

export type HubConnectionEffect =
  | { type: 'open'; connection: number; origin: string }
  /** Ends the connection without a Close, as a broken network would: the hub keeps the user's state. */
  | { type: 'drop'; reason: string }
  /** Ends the connection with a Close. `isOpen`: the hub can receive it. */
  | { type: 'close'; isOpen: boolean }
  /** Ends the connection if it was silent for too long. */
  | { type: 'check' }
  /** Starts the time limit of an attempt anew. */
  | { type: 'limit-reattachment' }
  | { type: 'mark-failed'; origin: string }
  | { type: 'wait'; ms: number }
  | { type: 'stop-waiting' }
  /** Tells the listeners. Always the last effect of a step, so that a listener may start or stop the connection. */
  | { type: 'report'; state: HubState; code: ErrorCode | null; reason: string }

type Phase = HubConnectionState['phase']
type EventType = HubConnectionEvent['type']
type StateOf<P extends Phase> = Extract<HubConnectionState, { phase: P }>
type EventOf<T extends EventType> = Extract<HubConnectionEvent, { type: T }>
type Step = { state: HubConnectionState; effects: HubConnectionEffect[] }
type Transition<P extends Phase, T extends EventType> = (
  state: StateOf<P>,
  event: EventOf<T>,
  delays: readonly number[],
) => Step
type Table = { [P in Phase]: { [T in EventType]?: Transition<P, T> } }

export const disconnected: HubConnectionState = { phase: 'disconnected', connection: 0 }

/** Attempts to reconnect to the hub that has this user's queue entry or match, before the next region's is tried. */
const SAME_HUB_ATTEMPTS = 3

function go(state: HubConnectionState, ...effects: HubConnectionEffect[]): Step {
  return { state, effects }
}

const stay = (state: HubConnectionState): Step => go(state)
const check = (state: HubConnectionState): Step => go(state, { type: 'check' })

function report(state: HubState, code: ErrorCode | null = null, reason: string = code ?? ''): HubConnectionEffect {
  return { type: 'report', state, code, reason }
}

function open(
  state: { phase: 'connecting'; isLastRound: boolean } | { phase: 'reconnecting'; attempts: number },
  from: Place,
): Step {
  const connection = from.connection + 1
  const origin = originOf(from.route)
  return go({ ...state, connection, route: from.route }, { type: 'open', connection, origin })
}

function connected({ connection, route }: Place): Step {
  return go({ phase: 'connected', connection, route: refreshed(route) }, report('connected'))
}

function stop({ connection }: { connection: number }, ...first: HubConnectionEffect[]): Step {
  const end = report('disconnected', null, 'The hub connection was stopped')
  return go({ phase: 'disconnected', connection }, ...first, end)
}

function fail({ connection }: Place, code: ErrorCode, reason: string, ...first: HubConnectionEffect[]): Step {
  return go({ phase: 'disconnected', connection }, ...first, report('disconnected', code, reason))
}

function giveUp({ connection, route }: Place, reason: string, ...first: HubConnectionEffect[]): Step {
  return go({ phase: 'gave-up', connection, route }, ...first, report('gave-up', 'hub-unavailable', reason))
}

/** Returns the code of a Close that ends the visit; null if the connection may be replaced or the code is unknown. */
function refusalOf({ reason, mayReturn }: EventOf<'ended'>): ErrorCode | null {
  const code = hubErrorCode(reason)
  return mayReturn || code === 'unknown' ? null : code
}

/**
 * Handles a failed attempt to open the first connection. After all regions have failed, a second round follows at once:
 * a network change during an attempt breaks only that attempt.
 */
function connectingEnded(state: StateOf<'connecting'>, event: EventOf<'ended'>): Step {
  const drop: HubConnectionEffect = { type: 'drop', reason: event.reason }
  const refusal = refusalOf(event)
  if (refusal) return fail(state, refusal, refusal, drop)
  const route = movedOn(state.route)
  const failed: HubConnectionEffect = { type: 'mark-failed', origin: originOf(state.route) }
  const isRoundOver = isExhausted(route)
  if (isRoundOver && state.isLastRound) return fail(state, 'hub-unavailable', event.reason, drop, failed)
  const isLastRound = isRoundOver || state.isLastRound
  const place = { connection: state.connection, route: isRoundOver ? refreshed(route) : route }
  const next = open({ phase: 'connecting', isLastRound }, place)
  return go(next.state, drop, failed, ...next.effects)
}

/** Handles the end of an open connection or of an attempt to replace it. `attempts` were made since the loss. */
function ended(state: Place, event: EventOf<'ended'>, attempts: number, delays: readonly number[]): Step {
  const drop: HubConnectionEffect = { type: 'drop', reason: event.reason }
  const refusal = refusalOf(event)
  if (refusal) return fail(state, refusal, refusal, drop)
  if (!event.mayReturn) return giveUp(state, event.reason, drop)
  return retry(state, attempts, delays, drop)
}

/** Tries the same hub again after a delay. After SAME_HUB_ATTEMPTS attempts tries the next region's hub at once. */
function retry(state: Place, attempts: number, delays: readonly number[], ...first: HubConnectionEffect[]): Step {
  let { route } = state
  if (attempts >= SAME_HUB_ATTEMPTS) {
    first.push({ type: 'mark-failed', origin: originOf(route) })
    route = movedOn(route)
    if (!isExhausted(route)) {
      const next = open({ phase: 'reconnecting', attempts }, { ...state, route })
      return go(next.state, ...first, ...next.effects)
    }
  }
  const place = { connection: state.connection, route }
  const ms = delays[attempts]
  if (ms === undefined) return giveUp(place, 'The hub could not be reached again', ...first)
  return go({ phase: 'waiting', attempts: attempts + 1, ...place }, ...first, { type: 'wait', ms })
}

/** Adds a `reconnecting` report to a step that replaces an open connection. */
function lost(step: Step): Step {
  if (step.state.phase !== 'waiting' && step.state.phase !== 'reconnecting') return step
  return go(step.state, ...step.effects, report('reconnecting'))
}

function startAgain({ connection, route }: Place): Step {
  return lost(open({ phase: 'reconnecting', attempts: 1 }, { connection, route: refreshed(route) }))
}

const transitions: Table = {
  disconnected: {
    started({ connection }, { origins }) {
      const next = open({ phase: 'connecting', isLastRound: false }, { connection, route: routeOver(origins) })
      return go(next.state, ...next.effects, report('connecting'))
    },
  },
  connecting: {
    'token-requested': stay,
    'message-received': stay,
    opened: connected,
    ended: connectingEnded,
    woken: check,
    stopped: (state) => stop(state, { type: 'close', isOpen: false }),
  },
  connected: {
    'message-received': stay,
    'token-requested': ({ connection, route }) =>
      go({ phase: 'reattaching', connection, route }, { type: 'limit-reattachment' }, report('reconnecting')),
    ended: (state, event, delays) => lost(ended(state, event, 0, delays)),
    woken: check,
    stopped: (state) => stop(state, { type: 'close', isOpen: true }),
  },
  reattaching: {
    'token-requested': stay,
    'message-received': connected,
    ended: (state, event, delays) => ended(state, event, 0, delays),
    woken: check,
    stopped: (state) => stop(state, { type: 'close', isOpen: false }),
  },
  waiting: {
    'delay-passed': (state) => open({ phase: 'reconnecting', attempts: state.attempts }, state),
    woken(state) {
      const next = open({ phase: 'reconnecting', attempts: state.attempts }, state)
      return go(next.state, { type: 'stop-waiting' }, ...next.effects)
    },
    stopped: (state) => stop(state, { type: 'stop-waiting' }),
  },
  reconnecting: {
    'token-requested': stay,
    'message-received': stay,
    opened: connected,
    ended: (state, event, delays) => ended(state, event, state.attempts, delays),
    woken: check,
    stopped: (state) => stop(state, { type: 'close', isOpen: false }),
  },
  'gave-up': {
    started: startAgain,
    woken: startAgain,
    stopped: (state) => stop(state),
  },
}

/**
 * Pure. `delays` are the milliseconds before each attempt to reconnect. Returns null for an event that the phase has no
 * transition for, and for an event of an older SignalR connection.
 */
export function stepHubConnection(
  state: HubConnectionState,
  event: HubConnectionEvent,
  delays: readonly number[],
): Step | null {
  if ('connection' in event && event.connection !== state.connection) return null
  // The compiler cannot see that the row and the column of the table are those of `state` and `event`.
  const transition = transitions[state.phase][event.type] as Transition<Phase, EventType> | undefined
  return transition?.(state, event, delays) ?? null
}
