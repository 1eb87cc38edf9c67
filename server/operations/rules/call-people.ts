import { MINUTE_MS } from '#protocol/durations.ts'
import type { SettledPerson } from './metrics.ts'

/** Outcomes that a judgement needs: with fewer, the trouble of one person would count as trouble of the service. */
export const OUTCOMES_MIN = 10
/** Outcomes older than this are forgotten. */
const WINDOW_MINUTES = 5
/** The most people of one network whose failed calls count: they may be one person with many accounts. */
const OF_A_NETWORK_MAX = 3
/** People that are counted in a minute, at most: more would not change the shares. */
const PEOPLE_MAX = 5_000

/** What happened in the last minutes, by minute. */
export class RecentMinutes<Events> {
  readonly #minutes = new Map<number, Events>()
  readonly #create: () => Events

  constructor(create: () => Events) {
    this.#create = create
  }

  /** Returns what is kept of this minute, to add to. */
  at(time: number): Events {
    const minute = Math.floor(time / MINUTE_MS)
    for (const old of this.#minutes.keys()) if (old <= minute - WINDOW_MINUTES) this.#minutes.delete(old)
    const events = this.#minutes.get(minute) ?? this.#create()
    this.#minutes.set(minute, events)
    return events
  }

  all(now: number): Events[] {
    const recent = [...this.#minutes].filter(([minute]) => minute > Math.floor(now / MINUTE_MS) - WINDOW_MINUTES)
    return recent.map(([, events]) => events)
  }
}

type PersonOutcomes = { good: number; bad: number; network: string | null; wasApart: boolean }

/** The people whose matches of the last minutes became calls, and the people whose matches did not. */
export class CallPeople {
  /** By account. */
  readonly #minutes = new RecentMinutes(() => new Map<string, PersonOutcomes>())

  add({ accountId, origin, wasApart }: SettledPerson, isGood: boolean, at: number): void {
    const people = this.#minutes.at(at)
    const known = people.get(accountId)
    if (!known && people.size >= PEOPLE_MAX) return
    const person = known ?? { good: 0, bad: 0, network: origin?.network ?? null, wasApart }
    person[isGood ? 'good' : 'bad'] += 1
    person.wasApart = wasApart
    people.set(accountId, person)
  }

  /**
   * Each person counts as one, divided into good and bad by the outcomes. People who wait apart do not count while there are enough
   * ordinary people: their matches fail by their own side. If the service fails, everybody soon waits apart; then all people count.
   */
  sum(now: number): { good: number; bad: number } {
    const people = [...this.#recent(now).values()]
    const ordinary = sharesOf(people.filter(({ wasApart }) => !wasApart))
    return ordinary.good + ordinary.bad >= OUTCOMES_MIN ? ordinary : sharesOf(people)
  }

  #recent(now: number): Map<string, PersonOutcomes> {
    const recent = new Map<string, PersonOutcomes>()
    for (const people of this.#minutes.all(now))
      for (const [accountId, person] of people) {
        const { good, bad } = recent.get(accountId) ?? { good: 0, bad: 0 }
        recent.set(accountId, { ...person, good: good + person.good, bad: bad + person.bad })
      }
    return recent
  }
}

function sharesOf(people: PersonOutcomes[]): { good: number; bad: number } {
  const sum = { good: 0, bad: 0 }
  const badOfNetwork = new Map<string, number>()
  for (const { good, bad, network } of people) {
    sum.good += good / (good + bad)
    if (network === null) sum.bad += bad / (good + bad)
    else badOfNetwork.set(network, (badOfNetwork.get(network) ?? 0) + bad / (good + bad))
  }
  for (const bad of badOfNetwork.values()) sum.bad += Math.min(bad, OF_A_NETWORK_MAX)
  return sum
}
