import { MINUTE_MS } from '#protocol/durations.ts'
import type { Counts } from '../../platform/rules/counts.ts'

const EARLY_END_MS = 10 * MINUTE_MS

/**
 * Costs of a match for an account, which may spend `MEETINGS_PER_MINUTE` a minute. An honest user presses Next at most
 * six times a minute, because Next works after ten seconds, and peers leave the user: together at most one match in two
 * seconds. An account that collects faces or addresses leaves at once.
 */
const MEETING_COST = 1
const EARLY_COST = 6
/** Cost of each early end from the third within `EARLY_END_MS` on. */
const REPEATED_EARLY_COST = 12
const EARLY_ENDS_AT_FIRST = 2
const MEETINGS_PER_MINUTE = 40

export type MeetingRules = {
  perMinute: number
  /** A match that a user ends in less time than this has ended early. */
  earlyMs: number
}

/** No page of the product lets its user leave a match before `nextWaitSeconds` or before half the time limit of a step. */
export function meetingRules(nextWaitSeconds: number, matchTimeoutMs: number): MeetingRules {
  return {
    perMinute: Math.max(MEETINGS_PER_MINUTE, 120 / Math.max(nextWaitSeconds, 0.5)),
    // A tenth less: clocks differ and networks delay.
    earlyMs: 0.9 * Math.min(nextWaitSeconds * 1_000, matchTimeoutMs / 2),
  }
}

/** Limits how many people an account meets a minute, over all servers. A match that the account itself ends early costs more. */
export class Meetings {
  readonly #counts: Counts
  readonly #rules: MeetingRules

  constructor(counts: Counts, rules: MeetingRules) {
    this.#counts = counts
    this.#rules = rules
  }

  /** Returns the milliseconds until the account may join the queue. */
  async waitMs(accountId: string): Promise<number> {
    const { count, leftMs } = await this.#spend(accountId, 0)
    return count < this.#rules.perMinute ? 0 : leftMs
  }

  async met(accountId: string): Promise<void> {
    await this.#spend(accountId, MEETING_COST)
  }

  /** Counts a match that the account ended, `afterMs` after its announcement. */
  async left(accountId: string, afterMs: number): Promise<void> {
    if (afterMs >= this.#rules.earlyMs) return
    const { count } = await this.#counts.add(`early ends ${accountId}`, EARLY_END_MS)
    await this.#spend(accountId, count > EARLY_ENDS_AT_FIRST ? REPEATED_EARLY_COST : EARLY_COST)
  }

  /** Counts a match that the account ended by a report. Costs as much as an early end, but does not count in `leavesEarly`. */
  async reported(accountId: string, afterMs: number): Promise<void> {
    if (afterMs < this.#rules.earlyMs) await this.#spend(accountId, EARLY_COST)
  }

  /** Resolves with true when the account has ended so many matches early that the addresses of its next match are held. */
  async leavesEarly(accountId: string): Promise<boolean> {
    const { count } = await this.#counts.add(`early ends ${accountId}`, EARLY_END_MS, 0)
    return count > EARLY_ENDS_AT_FIRST
  }

  #spend(accountId: string, cost: number) {
    return this.#counts.add(`meetings ${accountId}`, MINUTE_MS, cost)
  }
}
