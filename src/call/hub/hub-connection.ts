import {
  HttpTransportType,
  HubConnectionBuilder,
  HubConnectionState,
  type IHubProtocol,
  JsonHubProtocol,
  LogLevel,
  MessageType,
  type HubConnection as SignalRConnection,
} from '@microsoft/signalr'
import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_SERVER_TIMEOUT_MS,
  HUB_STATEFUL_BUFFER_BYTES,
} from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { type HubEvent, hubErrorCode, hubEvents } from '#protocol/hub.ts'
import type { Clock } from '../../platform/clock.ts'
import { deferred } from '../../platform/rules/deferred.ts'
import type { HubConnectionEvent } from '../rules/hub-connection-machine.ts'

type HubConnectionOptions = {
  url: string
  /** The number of this connection in the events that it reports. */
  number: number
  token: () => Promise<string>
  clock: Clock
  limits: WatchdogLimits
  /** Called with each state change of the connection, until it is closed or dropped. */
  report: (event: HubConnectionEvent) => void
  /** Called for every event of the hub, until the connection is closed or dropped. */
  received: (event: HubEvent, args: unknown[]) => void
}

export type HubConnection = ReturnType<typeof createHubConnection>

const eventNames = Object.keys(hubEvents) as HubEvent[]
/** Longest wait of `close` until the Close is sent. */
const CLOSE_MS = 2_000

/**
 * One SignalR connection under one connection id. It reports events and decides nothing. When the network swallows a
 * re-attachment, the SignalR library hangs without an event: a watchdog then ends the connection.
 */
export function createHubConnection(options: HubConnectionOptions) {
  const { number, clock, limits } = options
  let isOver = false
  const rejects = new Set<(error: AppError) => void>()
  const report = (event: HubConnectionEvent) => {
    if (!isOver) options.report(event)
  }
  const ended = (reason: string, mayReturn = true) => report({ type: 'ended', connection: number, reason, mayReturn })
  const watchdog = createWatchdog(clock, limits, ended)
  const protocol = observedProtocol({
    received() {
      watchdog.received()
      report({ type: 'message-received', connection: number })
    },
    closed: ended,
  })
  const connection = build({ ...options, report }, protocol, () => isOver)
  connection.onclose((error) => ended(error?.message ?? 'the connection was lost'))

  function end(): void {
    isOver = true
    watchdog.stop()
    for (const reject of [...rejects]) reject(new AppError('hub-unavailable', 'The hub connection ended'))
  }

  return {
    open(): void {
      connection.start().then(
        () => {
          watchdog.received()
          report({ type: 'opened', connection: number })
        },
        (thrown: unknown) => ended(thrown instanceof Error ? thrown.message : String(thrown)),
      )
    },

    /** Empty before the first handshake; a re-attachment keeps the id. */
    id: () => connection.connectionId ?? '',

    /**
     * Rejects with `hub-unavailable` when the connection ends before the hub has completed the invocation. After
     * `limitMs` without a completion, ends the connection.
     */
    async invoke(method: string, args: unknown[], limitMs: number): Promise<void> {
      const { promise, resolve, reject } = deferred<void>()
      rejects.add(reject)
      const cancel = clock.after(limitMs, () => ended(`${method} was not completed in time`))
      connection.invoke(method, ...args).then(resolve, (thrown: unknown) => reject(asHubError(thrown, !isOver)))
      try {
        await promise
      } finally {
        cancel()
        rejects.delete(reject)
      }
    },

    /** Ends the connection if it was silent for too long. */
    check: watchdog.check,
    /** Starts the time limit of an attempt (`attemptMs`) anew. */
    limitReattachment: watchdog.attempt,

    /** Ends the connection without a Close, as a broken network would: the hub keeps the user's state. */
    drop(): void {
      end()
      protocol.mute()
      connection.stop().catch(() => {})
    },

    /** Sends a Close, unless `isOpen` is false. Resolves when the Close is sent, or after CLOSE_MS. */
    async close(isOpen: boolean): Promise<void> {
      end()
      const isConnected = isOpen && connection.state === HubConnectionState.Connected
      const stopped = connection.stop().catch(() => {})
      // Only an open connection is waited for: a connection attempt may take long to notice its end.
      if (isConnected) await Promise.race([stopped, new Promise<void>((resolve) => clock.after(CLOSE_MS, resolve))])
    },
  }
}

function build(
  { url, number, token, received, report }: HubConnectionOptions,
  protocol: IHubProtocol,
  isOver: () => boolean,
): SignalRConnection {
  /** The token of the negotiation, also for the first socket. Null before the negotiation and after that socket. */
  let negotiated: string | null = null
  let isNegotiated = false

  /** The library asks for a token before it negotiates and before it opens a socket, also to re-attach. */
  async function accessToken(): Promise<string> {
    report({ type: 'token-requested', connection: number })
    const given = negotiated ?? (await token())
    negotiated = isNegotiated ? null : given
    isNegotiated = true
    // The connection ended while the token was fetched: a socket that is opened now would belong to no connection.
    if (isOver()) throw new AppError('hub-unavailable', 'This connection is over')
    return given
  }

  const built = new HubConnectionBuilder()
    .withUrl(url, {
      transport: HttpTransportType.WebSockets,
      timeout: HUB_HANDSHAKE_TIMEOUT_MS,
      accessTokenFactory: accessToken,
    })
    .withHubProtocol(protocol)
    .withStatefulReconnect({ bufferSize: HUB_STATEFUL_BUFFER_BYTES })
    .withServerTimeout(HUB_SERVER_TIMEOUT_MS)
    .withKeepAliveInterval(HUB_KEEP_ALIVE_MS)
    .configureLogging(LogLevel.None)
    .build()
  // Listeners are added before the start: the first events may come with the handshake.
  for (const event of eventNames) {
    built.on(event, (...args: unknown[]) => {
      if (!isOver()) received(event, args)
    })
  }
  return built
}

type Observers = { received: () => void; closed: (reason: string, mayReturn: boolean) => void }

/** The JSON protocol of SignalR. It also reports pings, and reports a Close before the SignalR library handles it. */
function observedProtocol({ received, closed }: Observers): IHubProtocol & { mute(): void } {
  const json = new JsonHubProtocol()
  let isMuted = false
  return {
    name: json.name,
    version: json.version,
    transferFormat: json.transferFormat,
    parseMessages(input: string, logger) {
      const messages = json.parseMessages(input, logger)
      received()
      for (const message of messages) {
        if (message.type !== MessageType.Close) continue
        const { error = 'the hub closed', allowReconnect = false } = message
        // Messages of the same frame that stand before the Close are handled first.
        queueMicrotask(() => closed(error, allowReconnect))
      }
      return messages
    },
    writeMessage(message) {
      if (isMuted) throw new AppError('hub-unavailable', 'This connection is over')
      return json.writeMessage(message)
    },
    /** Sends nothing from now on: a late Close would end the match that the next connection has resumed. */
    mute(): void {
      isMuted = true
    },
  }
}

/** Returns the hub's code for a refusal, and `hub-unavailable` for any other failure. */
function asHubError(thrown: unknown, isAlive: boolean): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The SignalR library rejects with a string, not an Error, when it could not send.
  const isRefusal = isAlive && thrown instanceof Error
  return new AppError(isRefusal ? hubErrorCode(message) : 'hub-unavailable', message)
}

type WatchdogLimits = {
  /** A connection without a message or ping for this long is dead. */
  silenceMs: number
  /** The same limit, applied when a page wakes up. It is longer than the hub's ping interval. */
  wakingMs: number
  /** Longest time of an attempt to open or to re-attach the connection. */
  attemptMs: number
}

/** Calls `expired` once when the connection counts as dead although no event has reported its end. */
function createWatchdog(clock: Clock, limits: WatchdogLimits, expired: (reason: string) => void) {
  let receivedAt = clock.now()
  let attemptAt: number | null = receivedAt
  let isStopped = false
  let cancel = () => {}

  function expire(reason: string): void {
    stop()
    expired(reason)
  }

  function stop(): void {
    isStopped = true
    cancel()
  }

  function dueIn(): number {
    const silence = receivedAt + limits.silenceMs
    const due = attemptAt === null ? silence : Math.min(silence, attemptAt + limits.attemptMs)
    return due - clock.now()
  }

  /** Sets the timer. A message does not move it: when the timer fires, the time that is left is computed anew. */
  function arm(): void {
    if (isStopped) return
    cancel()
    const left = dueIn()
    if (left > 0) cancel = clock.after(left, arm)
    else expire(attemptAt === null ? 'the connection has gone silent' : 'the attempt took too long')
  }

  arm()
  return {
    /** A message or ping has arrived, which also ends an attempt. */
    received(): void {
      receivedAt = clock.now()
      attemptAt = null
    },
    /** The connection is being re-attached. */
    attempt(): void {
      attemptAt = clock.now()
      arm()
    },
    /** Checks the silence now. Timers of a sleeping page do not run: it is noticed only when the page wakes. */
    check(): void {
      if (isStopped) return
      if (attemptAt === null && clock.now() - receivedAt >= limits.wakingMs) expire('the page slept too long')
      else arm()
    },
    stop,
  }
}
