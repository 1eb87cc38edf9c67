import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  HubConnectionState,
  LogLevel,
} from '@microsoft/signalr'
import * as v from 'valibot'
import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_PATH,
  HUB_RECONNECT_DELAYS_MS,
  HUB_SERVER_TIMEOUT_MS,
} from '#protocol/constants.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { type HubEvent, hubErrorCode, hubEvents } from '#protocol/hub.ts'
import { span } from '#workers/trace.ts'
import type { HubClient, HubState, Log } from '../domain/ports.ts'

type Login = Parameters<HubClient['start']>[0]
type StateListener = Parameters<HubClient['onState']>[0]
type Handler = (args: unknown[]) => void
/** One connection with its reconnects; `ready` is made anew for each of them. */
type Line = { connection: HubConnection; ready: PromiseWithResolvers<void> }

/** `base` is the origin of the hub, empty for the page's own. Loads SignalR: import this module when it is needed. */
export function createHubClient({
  base,
  log,
  reconnectDelays = HUB_RECONNECT_DELAYS_MS,
}: {
  base: string
  log: Log
  reconnectDelays?: number[]
}): HubClient {
  const handlers = new Map<HubEvent, Set<Handler>>()
  const stateListeners = new Set<StateListener>()
  let line: Line | null = null

  function report(state: HubState, reason: ErrorCode | null = null): void {
    for (const listener of [...stateListeners]) listener(state, reason)
  }

  function open(login: Login): Line {
    const query = new URLSearchParams({ userSessionId: login.userSessionId, email: login.email })
    const connection = new HubConnectionBuilder()
      .withUrl(`${base}${HUB_PATH}?${query}`, {
        transport: HttpTransportType.WebSockets,
        timeout: HUB_HANDSHAKE_TIMEOUT_MS,
        accessTokenFactory: login.token,
      })
      .withAutomaticReconnect(reconnectDelays)
      .withServerTimeout(HUB_SERVER_TIMEOUT_MS)
      .withKeepAliveInterval(HUB_KEEP_ALIVE_MS)
      .configureLogging(LogLevel.None)
      .build()
    const opened: Line = { connection, ready: pending() }
    // Before the start: the first events may come with the handshake.
    for (const event of eventNames) {
      connection.on(event, (...args: unknown[]) => {
        if (line === opened) for (const handler of [...(handlers.get(event) ?? [])]) handler(args)
      })
    }
    connection.onreconnecting(() => {
      if (line !== opened) return
      opened.ready = pending()
      report('reconnecting')
    })
    connection.onreconnected(() => {
      if (line !== opened) return
      opened.ready.resolve()
      report('connected')
    })
    connection.onclose((error) => lose(opened, error))
    return opened
  }

  function lose(lost: Line, error: Error | undefined): void {
    if (line !== lost) return
    line = null
    lost.ready.reject(new AppError('hub-unavailable', error?.message ?? 'The hub could not be reached again'))
    const reason = hubErrorCode(error?.message ?? '')
    if (reason === 'unknown') report('gave-up', 'hub-unavailable')
    else report('disconnected', reason)
  }

  return {
    start(login) {
      if (line) return line.ready.promise
      const since = performance.now()
      const opened = open(login)
      line = opened
      report('connecting')
      opened.connection.start().then(
        () => {
          if (line !== opened) return
          span('Hub', 'connect', since)
          opened.ready.resolve()
          report('connected')
        },
        (thrown: unknown) => {
          opened.ready.reject(asHubError(thrown))
          if (line !== opened) return
          line = null
          report('disconnected', 'hub-unavailable')
        },
      )
      return opened.ready.promise
    },

    async stop() {
      if (!line) return
      const { connection, ready } = line
      const connected = connection.state === HubConnectionState.Connected
      line = null
      ready.reject(new AppError('hub-unavailable', 'The hub connection was stopped'))
      const stopped = connection.stop().catch((thrown: unknown) => log.error('The hub did not stop cleanly', thrown))
      report('disconnected')
      // A connection attempt under way may take its time to notice; nobody hears of it any more.
      if (connected) await stopped
    },

    connectionId() {
      return line?.connection.state === HubConnectionState.Connected ? (line.connection.connectionId ?? '') : ''
    },

    async invoke(method, ...args) {
      if (!line) throw new AppError('hub-unavailable', 'The hub is not connected')
      const since = performance.now()
      try {
        await line.connection.invoke(method, ...args)
      } catch (thrown) {
        throw asHubError(thrown)
      } finally {
        span('Hub', method, since)
      }
    },

    on(event, listener) {
      const handler: Handler = (args) => {
        const parsed = v.safeParse(hubEvents[event], args)
        if (parsed.success) listener(...parsed.output)
        else log.error(`A malformed ${event} of the hub was dropped`)
      }
      const known = handlers.get(event) ?? new Set()
      handlers.set(event, known.add(handler))
      return () => known.delete(handler)
    },

    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }
}

const eventNames = Object.keys(hubEvents) as HubEvent[]

function pending(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>()
  // Whoever waits for it hears of a rejection; nobody waiting is no error.
  made.promise.catch(() => {})
  return made
}

/** The hub's refusals carry a code; whatever else went wrong is the connection's fault. */
function asHubError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const code = hubErrorCode(message)
  return new AppError(code === 'unknown' ? 'hub-unavailable' : code, message)
}
