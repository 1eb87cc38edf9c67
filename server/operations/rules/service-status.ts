import * as v from 'valibot'
import { MINUTE_MS } from '#protocol/durations.ts'
import type { PartStatus, ServicePart, ServiceStatus } from '#protocol/service-status.ts'
import { CallPeople, OUTCOMES_MIN, RecentMinutes } from './call-people.ts'
import type { SettledPerson } from './metrics.ts'

type PartState = PartStatus['state']
type Outcomes = { good: number; bad: number }

/** Shares of bad outcomes from which a part is in trouble or down. */
const TROUBLE_SHARE = 0.2
const DOWN_SHARE = 0.8
/** The queue does not work if at least `WAITING_MIN` users wait and no match is made for `NO_MATCH_MS`. */
const WAITING_MIN = 20
const NO_MATCH_MS = 3 * MINUTE_MS

const noOutcomes = (): Outcomes => ({ good: 0, bad: 0 })

function sumOf(all: readonly Outcomes[]): Outcomes {
  return all.reduce((sum, { good, bad }) => ({ good: sum.good + good, bad: sum.bad + bad }), { good: 0, bad: 0 })
}

function stateOf({ good, bad }: Outcomes): PartState {
  const all = good + bad
  if (all < OUTCOMES_MIN || bad < all * TROUBLE_SHARE) return 'works'
  return bad < all * DOWN_SHARE ? 'trouble' : 'down'
}

/** What a server reads of its dependencies and its queue. */
export type Readiness = { hasDatabase: boolean; hasRedis: boolean; waiting: number }

const amount = v.pipe(v.number(), v.minValue(0))
const outcomesSchema = v.object({ good: amount, bad: amount })
/** What a server reports to the other servers. Durations instead of times, because the clocks of servers differ. */
export const healthReportSchema = v.object({
  hasDatabase: v.boolean(),
  /** How many recent uses of these parts succeeded and failed. */
  outcomes: v.object({ signIn: outcomesSchema, calls: outcomesSchema, pictures: outcomesSchema }),
  /** How many users wait for a match on this server. */
  waiting: amount,
  /** Milliseconds since this server last made a match; null if it has made none. */
  matchedMs: v.nullable(v.number()),
  /** By part that does not work: for how long it has not worked. */
  lastingMs: v.partial(v.object({ signIn: amount, matching: amount, calls: amount, pictures: amount })),
})
export type HealthReport = v.InferOutput<typeof healthReportSchema>

/** The health of each part of the product, by what the servers saw in the last minutes. */
export class ServiceHealth {
  readonly #outcomes = { signIn: new RecentMinutes(noOutcomes), pictures: new RecentMinutes(noOutcomes) }
  readonly #callPeople = new CallPeople()
  #matchedAt: number | null = null
  /** The last time at which all queues together had few people. */
  #fewAt: number
  /** By part that does not work: when it stopped working. */
  readonly #since = new Map<ServicePart, number>()

  constructor(now: number) {
    this.#fewAt = now
  }

  add(part: 'signIn' | 'pictures', isGood: boolean, at: number): void {
    this.#outcomes[part].at(at)[isGood ? 'good' : 'bad'] += 1
  }

  /** Calls are judged by people, not by matches: a person who searches many times counts once. */
  addCall(person: SettledPerson, isGood: boolean, at: number): void {
    this.#callPeople.add(person, isGood, at)
  }

  callPeople(now: number): Outcomes {
    return this.#callPeople.sum(now)
  }

  matched(at: number): void {
    this.#matchedAt = at
  }

  report({ hasDatabase, waiting }: Readiness, now: number): HealthReport {
    const { signIn, pictures } = this.#outcomes
    return {
      hasDatabase,
      outcomes: {
        signIn: sumOf(signIn.all(now)),
        calls: this.#callPeople.sum(now),
        pictures: sumOf(pictures.all(now)),
      },
      waiting,
      matchedMs: this.#matchedAt === null ? null : now - this.#matchedAt,
      lastingMs: Object.fromEntries([...this.#since].map(([part, since]) => [part, now - since])),
    }
  }

  /**
   * Returns the state of the whole service. A part that fails on some servers is in trouble, because it fails for some people. A part that
   * fails on all servers, or too often on all servers together, is down. A trouble begins at the first call of this method that finds it.
   */
  status(readiness: Readiness, others: readonly HealthReport[], now: number): ServiceStatus {
    const own = this.report(readiness, now)
    const all = [own, ...others]
    if (all.reduce((sum, { waiting }) => sum + waiting, 0) < WAITING_MIN) this.#fewAt = Math.max(this.#fewAt, now)
    const matchless = Math.min(now - this.#fewAt, ...all.flatMap(({ matchedMs }) => matchedMs ?? []))
    const queue = matchless > NO_MATCH_MS ? 'trouble' : 'works'
    const stateAt = (part: ServicePart, report: HealthReport): PartState => {
      // The Redis of another server works: the report came through it.
      const canMatch = report.hasDatabase && (report !== own || readiness.hasRedis)
      if (part === 'matching') return canMatch ? queue : 'down'
      // A call begins with a match.
      if (!(part === 'calls' ? canMatch : report.hasDatabase)) return 'down'
      return stateOf(report.outcomes[part])
    }
    const tell = (part: ServicePart): PartStatus => {
      const states = all.map((report) => stateAt(part, report))
      const together = part === 'matching' ? queue : stateOf(sumOf(all.map(({ outcomes }) => outcomes[part])))
      return this.#told(part, worstOf(states, together), others, now)
    }
    return { signIn: tell('signIn'), matching: tell('matching'), calls: tell('calls'), pictures: tell('pictures') }
  }

  #told(part: ServicePart, state: PartState, others: readonly HealthReport[], now: number): PartStatus {
    if (state === 'works') {
      this.#since.delete(part)
      return { state }
    }
    const lasting = others.map(({ lastingMs }) => now - (lastingMs[part] ?? 0))
    const since = Math.min(this.#since.get(part) ?? now, ...lasting)
    this.#since.set(part, since)
    return { state, since }
  }
}

function worstOf(states: readonly PartState[], together: PartState): PartState {
  if (together === 'down' || states.every((state) => state === 'down')) return 'down'
  return states.every((state) => state === 'works') ? together : 'trouble'
}
