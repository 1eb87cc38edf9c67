import { MINUTE_MS } from '#protocol/durations.ts'
import type { PartStatus, ServicePart, ServiceStatus } from '#protocol/service-status.ts'

type PartState = PartStatus['state']

/** Outcomes older than this are forgotten. */
const WINDOW_MINUTES = 5
/** With fewer outcomes, a single person's trouble would be the service's. */
const OUTCOMES_MIN = 10
/** Shares of bad outcomes. */
const TROUBLE_SHARE = 0.2
const DOWN_SHARE = 0.8
/** So many users who wait, and no match for so long: then the queue does not work. */
const WAITING_MIN = 20
const NO_MATCH_MS = 3 * MINUTE_MS

/** Good and bad outcomes of the last minutes. */
class RecentOutcomes {
  readonly #minutes = new Map<number, { good: number; bad: number }>()

  add(isGood: boolean, at: number): void {
    const minute = Math.floor(at / MINUTE_MS)
    const counts = this.#minutes.get(minute) ?? { good: 0, bad: 0 }
    counts[isGood ? 'good' : 'bad'] += 1
    this.#minutes.set(minute, counts)
    for (const old of this.#minutes.keys()) if (old <= minute - WINDOW_MINUTES) this.#minutes.delete(old)
  }

  state(now: number): PartState {
    let [all, bad] = [0, 0]
    for (const [minute, counts] of this.#minutes) {
      if (minute <= Math.floor(now / MINUTE_MS) - WINDOW_MINUTES) continue
      bad += counts.bad
      all += counts.good + counts.bad
    }
    if (all < OUTCOMES_MIN || bad < all * TROUBLE_SHARE) return 'works'
    return bad < all * DOWN_SHARE ? 'trouble' : 'down'
  }
}

/** What a server can see at once. */
export type Readiness = { hasDatabase: boolean; hasRedis: boolean; waiting: number }

/** What this server knows of each part of the product, from its own last minutes. */
export class ServiceHealth {
  readonly #outcomes: Record<Exclude<ServicePart, 'matching'>, RecentOutcomes> = {
    signIn: new RecentOutcomes(),
    calls: new RecentOutcomes(),
    pictures: new RecentOutcomes(),
  }
  /** When the queue last had few people, or made a match. */
  #matchedAt: number
  /** Since when each part that does not work does not. */
  readonly #since = new Map<ServicePart, number>()

  constructor(now: number) {
    this.#matchedAt = now
  }

  add(part: Exclude<ServicePart, 'matching'>, isGood: boolean, at: number): void {
    this.#outcomes[part].add(isGood, at)
  }

  matched(at: number): void {
    this.#matchedAt = at
  }

  /** Knows the beginning of a trouble as exactly as it is called often. */
  status({ hasDatabase, hasRedis, waiting }: Readiness, now: number): ServiceStatus {
    if (waiting < WAITING_MIN) this.#matchedAt = Math.max(this.#matchedAt, now)
    const queue = now - this.#matchedAt > NO_MATCH_MS ? 'trouble' : 'works'
    const canMatch = hasDatabase && hasRedis
    const tell = (part: ServicePart, state: PartState) => this.#told(part, state, now)
    return {
      signIn: tell('signIn', hasDatabase ? this.#outcomes.signIn.state(now) : 'down'),
      matching: tell('matching', canMatch ? queue : 'down'),
      // A call begins with a match.
      calls: tell('calls', canMatch ? this.#outcomes.calls.state(now) : 'down'),
      pictures: tell('pictures', hasDatabase ? this.#outcomes.pictures.state(now) : 'down'),
    }
  }

  #told(part: ServicePart, state: PartState, now: number): PartStatus {
    if (state === 'works') {
      this.#since.delete(part)
      return { state }
    }
    const since = this.#since.get(part) ?? now
    this.#since.set(part, since)
    return { state, since }
  }
}
