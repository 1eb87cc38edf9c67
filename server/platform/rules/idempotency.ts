/** How long a result is stored: longer than a browser goes on repeating. */
export const REPEATS_KEPT_MS = 5 * 60_000

/** A request that the user may repeat, under the key that the browser gave it. */
export type RepeatId = { account: string; call: string; key: string }

/** The results of such requests, for servers that share a database. */
export interface RepeatRecords {
  /**
   * Claims the request for `owner` until `until`. Resolves with `ours` for the first claim, with the stored result where there is one,
   * and with `taken` while another owner's claim holds.
   */
  claim(
    id: RepeatId,
    by: { owner: string; now: number; until: number; freeRepeats: number },
  ): Promise<'ours' | 'taken' | { answer: string }>
  /** Stores the result of this owner's claim until `until`. */
  answer(id: RepeatId, owner: string, answer: string, until: number): Promise<void>
  /** Drops this owner's claim: the request may be carried out again. */
  release(id: RepeatId, owner: string): Promise<void>
  /** Uses up one repeat that does not count against a rate limit. Resolves with false when none is left. */
  takeFreeRepeat(id: RepeatId, now: number): Promise<boolean>
  /** Deletes expired results. */
  forget(now: number): Promise<void>
}
