import type { ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { LogLevel } from '#protocol/fields.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'

/** The levels that are on. */
export type LogSwitches = readonly LogLevel[]

/** `clockOffsetMs` is server time minus client time. An empty session id stands for a new user. */
export type LogContext = { userSessionId: string; clockOffsetMs: number }

/** What a user agent text tells; 'NA' or 'unknown' where it tells nothing. */
export type UserAgentFacts = {
  browser: string
  browser_version: string
  os: string
  os_version: string
  device: string
  deviceType: 'mobile' | 'tablet' | 'desktop' | 'unknown'
}

/** The one HTTP client of the product: timeouts, retries, token refresh, log batches. */
export interface NetworkWorker {
  /**
   * Makes one call of the API and parses its answer. Rejects with an AppError: timeout, network-error, server-unreachable,
   * invalid-response, http-error, or the code of the server's problem document; `refresh-failed` when the login is over;
   * `aborted` when `signal` says that nobody waits any more.
   */
  call<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: AbortSignal): Promise<EndpointOutput<N>>
  /** Makes one call of the moderators' table, whose login is another one: nothing is refreshed. Rejects like `call`. */
  callConsole<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
  /** Everything that the server keeps about this person, as a JSON file. Rejects as `call` does. */
  exportData(): Promise<Blob>
  /** Fetches a profile picture from a provider's image host or this origin. Rejects with wrong-type or too-large. */
  fetchPicture(url: string): Promise<Blob>
  /** Here because its parser is large: the page's own script stays without it. */
  parseUserAgent(userAgent: string): Promise<UserAgentFacts>
  /** Queues one log entry; it leaves with the next batch, and only if its level is switched on. Never rejects. */
  log(level: LogLevel, message: string): Promise<void>
  /** Levels that are written from now on; none by itself. What an earlier visit could not send leaves now, or is forgotten where no level is on. */
  switchLogs(levels: LogSwitches): Promise<void>
  /** What every log entry carries from now on. */
  identify(context: LogContext): Promise<void>
  /** Sends the queued log entries now. */
  flushLogs(): Promise<void>
  /** Takes ownership of `port` and answers the media worker's calls on it. */
  connectMedia(port: MessagePort): Promise<void>
}
