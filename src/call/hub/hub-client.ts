import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_PATH,
  HUB_RECONNECT_DELAYS_MS,
  HUB_SERVER_TIMEOUT_MS,
} from '#protocol/constants.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { type HubEvent, type HubMethod, type HubMethods, hubEvents } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import { span } from '#workers/trace.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type Deferred, deferred } from '../../platform/rules/deferred.ts'
import type { HubClient, HubState } from '../ports.ts'
import {
  disconnected,
  type HubConnectionEffect,
  type HubConnectionEvent,
  type HubConnectionState,
  stepHubConnection,
} from '../rules/hub-connection-machine.ts'
import { createHubConnection, type HubConnection } from './hub-connection.ts'
import type { HubSites } from './hub-sites.ts'

/**
 * Time limits copied from the table of hub methods, so that the bundle does not contain the table. The compiler checks
 * that the copies are equal.
 */
const CHAT_MS: HubMethods['SendChatMessageToPeer']['timeLimitMs'] = 25_000
const INVOKE_MS: HubMethods[Exclude<HubMethod, 'SendChatMessageToPeer'>]['timeLimitMs'] = 15_000

function limitOf(method: HubMethod): number {
  return method === 'SendChatMessageToPeer' ? CHAT_MS : INVOKE_MS
}

/**
 * This module loads SignalR: import it only when it is needed. Create one client for a page: the hub treats each client
 * as a visit of its own.
 */
export function createHubClient(options: HubOptions): HubClient {
  const listeners = createHubListeners(options.log)
  const { start, stop, open } = createHubRunner(options, listeners)
  const { on, onState } = listeners
  return {
    start,
    stop,
    on,
    onState,

    connectionId: () => open()?.id() ?? '',

    async invoke(method, ...args) {
      const connection = open()
      if (!connection?.id()) throw new AppError('hub-unavailable', 'Undefined hub connection.')
      const since = performance.now()
      try {
        await connection.invoke(method, args, limitOf(method))
      } finally {
        // A duration of at least the time limit means that the hub has not completed the invocation.
        const isAnswered = performance.now() - since < limitOf(method)
        span('Hub', isAnswered ? method : `unanswered ${method}`, since, undefined, isAnswered ? 'primary' : 'error')
      }
    },
  }
}

type Login = Parameters<HubClient['start']>[0]
type EffectType = HubConnectionEffect['type']
type EffectOf<T extends EffectType> = Extract<HubConnectionEffect, { type: T }>
type Handlers = { [T in EffectType]: (effect: EffectOf<T>) => void }

type HubOptions = {
  sites: Pick<HubSites, 'order' | 'failed'>
  log: Log
  clock: Clock
  /** Calls `listener` when the network is back or the page becomes visible. Returns a function that unsubscribes. */
  onWake: (listener: () => void) => () => void
  reconnectDelays?: number[]
}

const limits = {
  silenceMs: HUB_SERVER_TIMEOUT_MS,
  // HUB_KEEP_ALIVE_MS is the hub's ping interval; 5 s more allow for a slow network.
  wakingMs: HUB_KEEP_ALIVE_MS + 5_000,
  attemptMs: HUB_HANDSHAKE_TIMEOUT_MS,
}

/** Runs the machine of the hub connection over SignalR. */
function createHubRunner(options: HubOptions, listeners: HubListeners) {
  const { sites, log, clock, onWake, reconnectDelays = HUB_RECONNECT_DELAYS_MS } = options
  const visit = crypto.randomUUID()
  const ready = createReadiness()
  const outage = createOutageSpan()
  let state: HubConnectionState = disconnected
  let login: Login = { userSessionId: '', token: async () => '' }
  let connection: HubConnection | null = null
  let closed = Promise.resolve()
  let stopWaiting = () => {}
  let stopWaking = () => {}

  function dispatch(event: HubConnectionEvent): void {
    const next = stepHubConnection(state, event, reconnectDelays)
    if (!next) {
      span('Hub', `ignored in ${state.phase}: ${event.type}`, performance.now())
      return
    }
    state = next.state
    for (const effect of next.effects) run(effect)
  }

  function run<T extends EffectType>(effect: { [K in T]: EffectOf<K> & { type: K } }[T]): void {
    handlers[effect.type](effect)
  }

  const handlers: Handlers = {
    open({ connection: number, origin }) {
      const since = performance.now()
      const { userSessionId, token } = login
      const url = `${origin}${HUB_PATH}?${new URLSearchParams({ userSessionId, visit })}`
      function report(event: HubConnectionEvent): void {
        if (event.type === 'opened') span('Hub', 'connect', since)
        if (event.type === 'ended' && isOpening(state)) span('Hub', 'connect failed', since, undefined, 'error')
        dispatch(event)
      }
      connection = createHubConnection({ url, number, token, clock, limits, received: listeners.received, report })
      connection.open()
    },
    drop({ reason }) {
      connection?.drop()
      connection = null
      log.info(`The hub connection ended: ${reason}`)
    },
    close({ isOpen }) {
      if (connection) closed = connection.close(isOpen)
      connection = null
    },
    check: () => connection?.check(),
    'limit-reattachment': () => connection?.limitReattachment(),
    'mark-failed': ({ origin }) => sites.failed(origin),
    wait({ ms }) {
      stopWaiting = clock.after(ms, () => dispatch({ type: 'delay-passed' }))
    },
    'stop-waiting': () => stopWaiting(),
    report({ state: reported, code, reason }) {
      if (reported === 'connecting') stopWaking = onWake(() => dispatch({ type: 'woken' }))
      if (reported === 'disconnected') stopWaking()
      ready.changed(reported, new AppError(code ?? 'hub-unavailable', reason))
      outage.changed(reported)
      listeners.changed(reported, code)
    },
  }

  return {
    /** Resolves when the hub is connected. */
    start(as: Login): Promise<void> {
      login = as
      dispatch({ type: 'started', origins: sites.order() })
      return ready.promise()
    },

    /** Resolves when the Close is sent; without an open connection at once. */
    stop(): Promise<void> {
      dispatch({ type: 'stopped' })
      return closed
    },

    /** The connection over which invocations are sent; null if there is none. */
    open: (): HubConnection | null =>
      state.phase === 'connected' || state.phase === 'reattaching' ? connection : null,
  }
}

function isOpening({ phase }: HubConnectionState): boolean {
  return phase === 'connecting' || phase === 'reconnecting'
}

/** Records a span for the profiler from the loss of the hub until it is back or the client gives up. */
function createOutageSpan() {
  let since: number | null = null
  return {
    changed(state: HubState): void {
      if (state === 'reconnecting') since ??= performance.now()
      else if (since !== null) {
        span('Hub', state === 'connected' ? 'reconnect' : `reconnect, then ${state}`, since, undefined, 'error')
        since = null
      }
    },
  }
}

/** Holds a promise that resolves when the hub is connected. A new promise replaces it whenever the hub is lost. */
function createReadiness() {
  let current = pending()
  return {
    promise: () => current.promise,
    changed(state: HubState, error: AppError): void {
      if (state === 'connecting' || state === 'reconnecting') current = pending()
      else if (state === 'connected') current.resolve()
      else current.reject(error)
    },
  }
}

function pending(): Deferred<void> {
  const made = deferred<void>()
  // Without this handler a rejection that no caller waits for would count as an unhandled error.
  made.promise.catch(() => {})
  return made
}

type HubListeners = ReturnType<typeof createHubListeners>

/** Calls the listeners of hub events and connection states. Listeners outlive a connection. */
function createHubListeners(log: Pick<Log, 'error'>) {
  const listeners = new Map<HubEvent, Set<(args: unknown[]) => void>>()
  const stateListeners = new Set<Parameters<HubClient['onState']>[0]>()

  const subscriptions: Pick<HubClient, 'on' | 'onState'> = {
    on(event, listener) {
      function parsing(args: unknown[]): void {
        const parsed = tryParse(hubEvents[event], args)
        if (parsed.success) listener(...parsed.output)
        else log.error(`A malformed ${event} of the hub was dropped`)
      }
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(parsing))
      return () => known.delete(parsing)
    },

    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }

  return {
    ...subscriptions,
    received(event: HubEvent, args: unknown[]): void {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(args)
    },
    changed(state: HubState, reason: ErrorCode | null): void {
      for (const listener of [...stateListeners]) listener(state, reason)
    },
  }
}
