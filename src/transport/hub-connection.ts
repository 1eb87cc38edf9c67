import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  HubConnectionState,
  type IHubProtocol,
  JsonHubProtocol,
  LogLevel,
  MessageType,
} from '@microsoft/signalr'
import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_SERVER_TIMEOUT_MS,
  HUB_STATEFUL_BUFFER_BYTES,
} from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { type HubEvent, hubErrorCode, hubEvents } from '#protocol/hub.ts'
import type { Clock } from '../domain/ports.ts'
import { createWatchdog, type WatchdogLimits } from './hub-watchdog.ts'

/** How a connection came to its end; the hub's own words where it said any. */
export type LineEnd = { reason: string; mayReturn: boolean }

export type LineOptions = {
  url: string
  token: () => Promise<string>
  clock: Clock
  limits: WatchdogLimits
  heard: (event: HubEvent, args: unknown[]) => void
  /** The socket broke and the library opens another one for the same connection; false when that has worked. */
  reattaching: (now: boolean) => void
  /** Told once, unless the line was left or dropped. */
  ended: (end: LineEnd) => void
}

export type SiteConnection = ReturnType<typeof createHubConnection>

const eventNames = Object.keys(hubEvents) as HubEvent[]
/** A hub that does not even take the Close is not waited for. */
const LEAVE_MS = 2_000

/**
 * One hub connection under one connection id, for as long as it lives. The library hangs without an event when the
 * network swallows a re-attachment, so a watchdog has the last word.
 */
export function createHubConnection({ url, token, clock, limits, heard, reattaching, ended }: LineOptions) {
  let state: 'opening' | 'open' | 'reattaching' | 'over' = 'opening'
  /** From here on not a byte leaves: a Close that gets through late would end the session that its successor is in. */
  let muted = false
  const unanswered = new Set<(error: AppError) => void>()
  const connection = build()
  const watchdog = createWatchdog(clock, limits, (why) => finish({ reason: why, mayReturn: true }))

  function build(): HubConnection {
    const built = new HubConnectionBuilder()
      .withUrl(url, {
        transport: HttpTransportType.WebSockets,
        timeout: HUB_HANDSHAKE_TIMEOUT_MS,
        accessTokenFactory: admit,
      })
      .withHubProtocol(overheard(new JsonHubProtocol()))
      .withStatefulReconnect({ bufferSize: HUB_STATEFUL_BUFFER_BYTES })
      .withServerTimeout(HUB_SERVER_TIMEOUT_MS)
      .withKeepAliveInterval(HUB_KEEP_ALIVE_MS)
      .configureLogging(LogLevel.None)
      .build()
    // Before the start: the first events may come with the handshake.
    for (const event of eventNames) {
      built.on(event, (...args: unknown[]) => {
        if (state !== 'over') heard(event, args)
      })
    }
    built.onclose((error) => finish({ reason: error?.message ?? 'the connection was lost', mayReturn: true }))
    return built
  }

  /** The library asks for a token before it opens a socket, also one to re-attach by. */
  async function admit(): Promise<string> {
    if (state === 'open') {
      state = 'reattaching'
      watchdog.attempting()
      reattaching(true)
    }
    const given = await token()
    // A socket opened now would be nobody's.
    if (state === 'over') throw new AppError('hub-unavailable', 'This connection is over')
    return given
  }

  /** Lets the watchdog hear pings too, and sees the Close before the library acts on it. */
  function overheard(json: JsonHubProtocol): IHubProtocol {
    return {
      name: json.name,
      version: json.version,
      transferFormat: json.transferFormat,
      parseMessages(input: string, logger) {
        const messages = json.parseMessages(input, logger)
        watchdog.heard()
        if (state === 'reattaching') {
          state = 'open'
          reattaching(false)
        }
        for (const message of messages) {
          if (message.type !== MessageType.Close) continue
          const end = { reason: message.error ?? 'the hub closed', mayReturn: message.allowReconnect === true }
          // What came before it in the same frame is handled first.
          queueMicrotask(() => finish(end))
        }
        return messages
      },
      writeMessage(message) {
        if (muted) throw new AppError('hub-unavailable', 'This connection is over')
        return json.writeMessage(message)
      },
    }
  }

  function over(): void {
    state = 'over'
    watchdog.stop()
    for (const reject of [...unanswered]) reject(new AppError('hub-unavailable', 'The hub connection ended'))
  }

  function drop(): void {
    over()
    muted = true
    connection.stop().catch(() => {})
  }

  function finish(end: LineEnd): void {
    if (state === 'over') return
    drop()
    ended(end)
  }

  return {
    /** Rejects when the connection cannot be made; `ended` is told then as well. */
    async open(): Promise<void> {
      const failed = Promise.withResolvers<never>()
      unanswered.add(failed.reject)
      try {
        await Promise.race([connection.start(), failed.promise])
        state = 'open'
        watchdog.heard()
      } catch (thrown) {
        finish({ reason: thrown instanceof Error ? thrown.message : String(thrown), mayReturn: true })
        throw asHubError(thrown, false)
      } finally {
        unanswered.delete(failed.reject)
      }
    },

    /** Empty unless it is open; a re-attachment keeps the id. */
    connectionId(): string {
      return state === 'open' || state === 'reattaching' ? (connection.connectionId ?? '') : ''
    },

    /** Always settles: with `hub-unavailable` when the line ends before, or after `limitMs`, which ends the line. */
    async invoke(method: string, args: unknown[], limitMs: number): Promise<void> {
      const answer = Promise.withResolvers<void>()
      unanswered.add(answer.reject)
      const cancel = clock.after(limitMs, () => finish({ reason: `${method} was not answered`, mayReturn: true }))
      connection
        .invoke(method, ...args)
        .then(answer.resolve, (thrown: unknown) => answer.reject(asHubError(thrown, state !== 'over')))
      try {
        await answer.promise
      } finally {
        cancel()
        unanswered.delete(answer.reject)
      }
    },

    awake: watchdog.awake,

    /** Ends it as a broken network would: the hub keeps what is this user's. */
    drop,

    /** Tells the hub that the user goes. */
    async leave(): Promise<void> {
      const connected = connection.state === HubConnectionState.Connected && state === 'open'
      over()
      const stopped = connection.stop().catch(() => {})
      // A connection attempt under way may take its time to notice; nobody hears of it any more.
      if (connected) await Promise.race([stopped, new Promise<void>((resolve) => clock.after(LEAVE_MS, resolve))])
    },
  }
}

/** The hub's refusals carry a code; whatever else went wrong is the connection's fault. */
function asHubError(thrown: unknown, alive: boolean): AppError {
  if (thrown instanceof AppError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The library rejects with a bare text when it could not send.
  const answered = alive && thrown instanceof Error
  return new AppError(answered ? hubErrorCode(message) : 'hub-unavailable', message)
}
