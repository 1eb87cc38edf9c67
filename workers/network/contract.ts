import type { LogLevel } from '#protocol/fields.ts'
import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'

/** Name of a worker that sends the request of the start at once, before the page asks for it. */
export const EARLY_WORKER = 'network-early'

/** The log levels that are switched on. */
export type LogSwitches = readonly LogLevel[]

/** `clockOffsetMs` is server time minus client time. `userSessionId` is empty for a new user. */
export type LogContext = { userSessionId: string; clockOffsetMs: number }

/** Names and versions of browser, system and device; 'NA' or 'unknown' if the browser does not tell them. */
export type UserAgentFacts = {
  browser: string
  browser_version: string
  os: string
  os_version: string
  device: string
  deviceType: 'mobile' | 'tablet' | 'desktop' | 'unknown'
}

/**
 * The one HTTP client of the product: timeouts, retries, token refresh, log batches. Code that the request of the start does not need is
 * loaded after that request; while this code cannot be loaded, the methods that need it reject with `network-error`.
 */
export interface NetworkWorker {
  /**
   * Sends one request to an endpoint and parses the response. Rejects with an AppError: timeout, network-error,
   * server-unreachable, invalid-response, http-error, or the code of the server's problem document; `refresh-failed` when the
   * login session has ended; `aborted` after `signal`.
   */
  request<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: AbortSignal): Promise<EndpointOutput<N>>
  /** Returns everything that is stored about this user, as a JSON file. Rejects like `request`. */
  exportData(): Promise<Blob>
  /** Fetches a profile picture from a provider's image host or this origin. Rejects with `wrong-type`, `too-large` or a transport code. */
  fetchPicture(url: string): Promise<Blob>
  /** Names browser, system and device. Runs in the worker, so that the page's own script does not contain its code. */
  parseUserAgent(userAgent: string): Promise<UserAgentFacts>
  /** Queues one log entry for the next batch, if its level is switched on. */
  log(level: LogLevel, message: string): Promise<void>
  /**
   * Sets the levels to record; at first no level is on. Sends the entries that an earlier visit could not send, or
   * deletes them if no level is on.
   */
  switchLogs(levels: LogSwitches): Promise<void>
  /** Sets the context of all later log entries. */
  identify(context: LogContext): Promise<void>
  /** Sends the queued log entries now. */
  flushLogs(): Promise<void>
  /** Serves the media worker's requests on `port` and takes ownership of the port. */
  connectMedia(port: MessagePort): Promise<void>
}
