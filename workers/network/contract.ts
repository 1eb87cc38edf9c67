import type { CallInput, CallName, CallOutput, LogEntry } from '#protocol/rest.ts'

export type LogLevel = LogEntry['logLevel'] | 'Trace'

/** The one HTTP client of the product: timeouts, retries, token refresh, log batches. */
export interface NetworkWorker {
  /**
   * Makes one call of the API and parses its answer. Rejects with an AppError: timeout, network-error, server-unreachable,
   * invalid-response, http-error, or the code of the server's problem document; `refresh-failed` when the login is over.
   */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** Fetches a profile picture from a provider's image host or this origin. */
  fetchPicture(url: string): Promise<Blob>
  /** Queues one log entry; it leaves with the next batch, and only if its level is switched on. Never rejects. */
  log(level: LogLevel, message: string): Promise<void>
  /** What every log entry carries from now on. `clockOffsetMs` is server time minus client time. */
  identify(context: { userSessionId: string; clockOffsetMs: number }): Promise<void>
  /** Sends the queued log entries now. */
  flushLogs(): Promise<void>
  /** Takes ownership of `port` and answers the media worker's calls on it. */
  connectMedia(port: MessagePort): Promise<void>
}
