import { MINUTE_MS } from '#protocol/durations.ts'
import type { PartState, ServicePart, ServiceStatus } from '#protocol/service-status.ts'

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

  constructor(now: number) {
    this.#matchedAt = now
  }

  add(part: Exclude<ServicePart, 'matching'>, isGood: boolean, at: number): void {
    this.#outcomes[part].add(isGood, at)
  }

  matched(at: number): void {
    this.#matchedAt = at
  }

  status({ hasDatabase, hasRedis, waiting }: Readiness, now: number): ServiceStatus {
    if (!hasDatabase) return { signIn: 'down', matching: 'down', calls: 'down', pictures: 'down' }
    if (waiting < WAITING_MIN) this.#matchedAt = Math.max(this.#matchedAt, now)
    const matching = !hasRedis ? 'down' : now - this.#matchedAt > NO_MATCH_MS ? 'trouble' : 'works'
    return {
      signIn: this.#outcomes.signIn.state(now),
      matching,
      // A call begins with a match.
      calls: matching === 'down' ? 'down' : this.#outcomes.calls.state(now),
      pictures: this.#outcomes.pictures.state(now),
    }
  }
}
