import type { LogEntry } from '#protocol/log-entry.ts'
import type { Backlog, PriorityCases } from './metrics.ts'

/** The records that operations needs. Times are milliseconds since 1970. */

export interface Logs {
  /** Resolves with false if a batch with this key and login session is stored already. */
  add(entries: LogEntry[], key: string | null, at: number): Promise<boolean>
}

/** The countries that login sessions are in, as browsers named them. */
export interface Countries {
  of(sessionId: string): Promise<string | null>
}

export interface Backlogs {
  read(): Promise<Backlog>
  readPriority(now: number): Promise<PriorityCases>
}
