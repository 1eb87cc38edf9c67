import { MINUTE_MS } from '#protocol/durations.ts'
import type { Counts } from '../../platform/rules/counts.ts'

/** How long it is remembered that an account left matches early. */
const RECORD_MS = 10 * MINUTE_MS

/**
 * Costs of an account within one minute. An honest person presses Next at most six times a minute, because Next works after ten seconds,
 * and is left by others: together at most one meeting in two seconds. An account that collects faces or addresses leaves at once.
 */
const MEETING_COST = 1
const EARLY_COST = 6
/** From the third early end on. */
const REPEATED_EARLY_COST = 12
const EARLY_ENDS_AT_FIRST = 2
const MEETINGS_PER_MINUTE = 40

export type MeetingRules = {
  perMinute: number
  /** A match that ends before has ended early. */
  earlyMs: number
}

/** The product's pages offer no way to leave a match before `nextWaitSeconds`, or before half the time limit of a step has passed. */
export function meetingRules(nextWaitSeconds: number, matchTimeoutMs: number): MeetingRules {
  return {
    perMinute: Math.max(MEETINGS_PER_MINUTE, 120 / Math.max(nextWaitSeconds, 0.5)),
    // Clocks and networks are allowed a tenth.
    earlyMs: 0.9 * Math.min(nextWaitSeconds * 1_000, matchTimeoutMs / 2),
  }
}

/**
 * How many people an account may meet a minute, over all servers: fewer, the more of the matches it ends itself at once.
 * Matches that the other side ends, or that time ends, cost no more than any.
 */
export class Meetings {
  readonly #counts: Counts
  readonly #rules: MeetingRules

  constructor(counts: Counts, rules: MeetingRules) {
    this.#counts = counts
    this.#rules = rules
  }

  /** Milliseconds until the account may join the queue again. */
  async waitMs(accountId: string): Promise<number> {
    const { count, leftMs } = await this.#spend(accountId, 0)
    return count < this.#rules.perMinute ? 0 : leftMs
  }

  /** The account is told of a match. */
  async met(accountId: string): Promise<void> {
    await this.#spend(accountId, MEETING_COST)
  }

  /** The account ended a match so long after it was told of it. */
  async left(accountId: string, afterMs: number): Promise<void> {
    if (afterMs >= this.#rules.earlyMs) return
    const { count } = await this.#counts.add(`early ends ${accountId}`, RECORD_MS)
    await this.#spend(accountId, count > EARLY_ENDS_AT_FIRST ? REPEATED_EARLY_COST : EARLY_COST)
  }

  /** A report ended the match. It costs as much as an early end, but does not count towards `leavesEarly`. */
  async reported(accountId: string, afterMs: number): Promise<void> {
    if (afterMs < this.#rules.earlyMs) await this.#spend(accountId, EARLY_COST)
  }

  /** The account has lately ended so many matches early that it is to wait for the addresses of the next. */
  async leavesEarly(accountId: string): Promise<boolean> {
    const { count } = await this.#counts.add(`early ends ${accountId}`, RECORD_MS, 0)
    return count > EARLY_ENDS_AT_FIRST
  }

  #spend(accountId: string, cost: number) {
    return this.#counts.add(`meetings ${accountId}`, MINUTE_MS, cost)
  }
}
