import { MINUTE_MS } from '#protocol/durations.ts'

/** How long a result is stored: longer than a browser repeats a request. */
export const RESULT_KEPT_MS = 5 * MINUTE_MS

/** Identifies a request that an account may repeat, by the key that the browser gave it. */
export type IdempotencyId = { account: string; endpoint: string; key: string }

/** The results of requests with an idempotency key, for servers that share a database. */
export interface IdempotencyRecords {
  /**
   * Claims the request for `owner` until `until`. Resolves with the stored result if there is one, with `taken` while
   * another owner's claim holds, and otherwise with `ours`.
   */
  claim(
    id: IdempotencyId,
    by: { owner: string; now: number; until: number; freeRepeats: number },
  ): Promise<'ours' | 'taken' | { result: string }>
  /** Stores the result of this owner's claim until `until`. */
  complete(id: IdempotencyId, owner: string, result: string, until: number): Promise<void>
  /** Drops this owner's claim: the request may be carried out again. */
  release(id: IdempotencyId, owner: string): Promise<void>
  /** Uses up one repeat that does not count against a rate limit. Resolves with false when none is left. */
  takeFreeRepeat(id: IdempotencyId, now: number): Promise<boolean>
  deleteExpired(now: number): Promise<void>
}
