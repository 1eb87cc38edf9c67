import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_PATH,
  HUB_RECONNECT_DELAYS_MS,
  HUB_SERVER_TIMEOUT_MS,
} from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
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
import type { HubListeners } from './hub-listeners.ts'
import type { HubSites } from './hub-sites.ts'

type Login = Parameters<HubClient['start']>[0]
type EffectType = HubConnectionEffect['type']
type EffectOf<T extends EffectType> = Extract<HubConnectionEffect, { type: T }>
type Handlers = { [T in EffectType]: (effect: EffectOf<T>) => void }

export type HubOptions = {
  sites: Pick<HubSites, 'order' | 'failed'>
  log: Log
  clock: Clock
  /** Calls `listener` whenever the network or the page comes back. Returns a function that unsubscribes. */
  onWake: (listener: () => void) => () => void
  reconnectDelays?: number[]
}

const limits = {
  silenceMs: HUB_SERVER_TIMEOUT_MS,
  // The hub pings more often than that, and 5 s allow for a slow network.
  wakingMs: HUB_KEEP_ALIVE_MS + 5_000,
  attemptMs: HUB_HANDSHAKE_TIMEOUT_MS,
}

/** Runs the machine of the hub connection over SignalR. */
export function createHubRunner(options: HubOptions, listeners: HubListeners) {
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

    /** Resolves when a Close is sent, if the hub can receive one. */
    stop(): Promise<void> {
      dispatch({ type: 'stopped' })
      return closed
    },

    /** The connection that invocations go over; null while there is none. */
    open: (): HubConnection | null =>
      state.phase === 'connected' || state.phase === 'reattaching' ? connection : null,
  }
}

function isOpening({ phase }: HubConnectionState): boolean {
  return phase === 'connecting' || phase === 'reconnecting'
}

/** Draws, for the profiler, the time from the loss of the hub until it is back or given up. */
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

/** A promise that resolves when the hub is connected, and is replaced whenever that is lost. */
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
  // A rejection that no caller waits for is no error.
  made.promise.catch(() => {})
  return made
}
