import type { Role } from '#protocol/hub.ts'

/** The records that matching needs. Times are milliseconds since 1970. */

export interface Relations {
  /** Resolves with every account that this one must never be matched with, whichever of the two blocked the other. */
  blockedWith(accountId: string): Promise<string[]>
  metBy(accountId: string): Promise<string[]>
  recordMet(a: string, b: string, at: number): Promise<void>
  block(by: string, whom: string, at: number): Promise<void>
}

/** A match that has not ended. `caller` and `callee` are accounts; the first of the pair is the Caller. */
export type MatchRecord = { id: string; caller: string; callee: string; startedAt: number; connected: boolean }

export interface MatchRecords {
  open(match: MatchRecord): Promise<void>
  /** Notes that this side sees the other side's picture. The Caller's confirmation makes the match connected. */
  confirm(id: string, role: Role, at: number): Promise<void>
  close(id: string, at: number): Promise<void>
  all(): Promise<MatchRecord[]>
}
