import territories from 'cldr-core/supplemental/territoryInfo.json' with { type: 'json' }
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import { MatchQueue, type Newcomer, type Pair, type QueueOptions } from '../../server/matching/rules/match-queue.ts'
import type { QueueEntry } from '../../server/matching/rules/waiting-list.ts'
import { createDice } from '../support/dice.ts'
import { runSeed } from '../support/run-seed.ts'
import { Agenda } from './agenda.ts'

/**
 * 10,000 people search, talk and search again. Their languages are those of the world's territories (Unicode CLDR, territoryInfo: the
 * population of each and which part of it speaks what); interests are drawn from 10,000 with a Zipf distribution, up to three each.
 * "N waiting" means that N people begin a search within the longest wait, 8 s: so many could somebody wait for.
 */

const PEOPLE = 10_000
const INTERESTS = 10_000
const WINDOW_MS = 8_000
const settings: QueueOptions = {
  random: createDice(runSeed).next,
  languageAfterMs: 3_000,
  anybodyAfterMs: WINDOW_MS,
  spillAfterMs: 3_000,
  apartAfterMs: 20_000,
  relaxAfterMs: 10_000,
  keepMs: 45_000,
  languageCrowd: 100,
}

const territorySchema = v.object({
  _population: v.pipe(v.string(), v.transform(Number)),
  languagePopulation: v.optional(
    v.record(v.string(), v.object({ _populationPercent: v.pipe(v.string(), v.transform(Number)) })),
    {},
  ),
})
const infoSchema = v.object({ supplemental: v.object({ territoryInfo: v.record(v.string(), territorySchema) }) })

type Territory = { population: number; languages: [language: string, share: number][] }
type Person = { languages: string[]; interests: string[]; met: Set<string> }

function readTerritories(): Territory[] {
  const { territoryInfo } = parse(infoSchema, territories).supplemental
  return Object.values(territoryInfo).map(({ _population, languagePopulation }) => {
    const shares = new Map<string, number>()
    for (const [tag, { _populationPercent }] of Object.entries(languagePopulation)) {
      const [language = tag] = tag.split('_')
      shares.set(language, Math.max(shares.get(language) ?? 0, _populationPercent / 100))
    }
    return { population: _population, languages: [...shares].sort((one, other) => other[1] - one[1]) }
  })
}

/** Returns the people, the same for the same seed. */
function makePeople(): Person[] {
  const random = createDice(runSeed + 1).next
  let all = 0
  const places = readTerritories().flatMap(({ population, languages }) => {
    all += languages.length > 0 ? population : 0
    return languages.length > 0 ? [{ upTo: all, languages }] : []
  })
  return Array.from({ length: PEOPLE }, () => {
    const drawn = random() * all
    const place = places.find(({ upTo }) => drawn < upTo) ?? places[0]
    const [[first = ''] = []] = place?.languages ?? []
    const spoken = (place?.languages ?? []).filter(([, share]) => random() < share).map(([language]) => language)
    const interests = Array.from({ length: Math.floor(random() * 4) }, () => `i${Math.floor(INTERESTS ** random())}`)
    return {
      languages: spoken.length > 0 ? spoken.slice(0, 5) : [first],
      interests: [...new Set(interests)],
      met: new Set<string>(),
    }
  })
}

/** Whether these two may meet now, written without the rules of the queue. */
function mayMeet(one: QueueEntry, other: QueueEntry, now: number): boolean {
  const waited = now - Math.min(one.since, other.since)
  if (one.met.has(other.user) || other.met.has(one.user)) {
    if (waited < settings.relaxAfterMs) return false
  }
  if (one.anyLanguage || other.anyLanguage || waited >= settings.anybodyAfterMs) return true
  if (!one.languages.some((language) => other.languages.includes(language))) return false
  if (one.anyInterest || other.anyInterest || waited >= settings.languageAfterMs) return true
  return one.interests.some((interest) => other.interests.includes(interest))
}

type Outcome = { joins: number; matches: number; shared: number; waits: number[]; forbidden: number; leftOver: number }

/** Runs `joins` searches; `withWishes` false is the queue of people who have named nothing. */
function simulate(waiting: number, joins: number, withWishes: boolean): Outcome {
  const people = makePeople()
  const random = createDice(runSeed + 2).next
  const queue = new MatchQueue({ ...settings, random })
  /** People who will search again. */
  const agenda = new Agenda<number>()
  /** Milliseconds of a call and a search together, on average. */
  const cycleMs = (PEOPLE / waiting) * WINDOW_MS
  const callMs = () => Math.floor(-Math.log(1 - random()) * cycleMs)
  for (const person of people.keys()) agenda.add(callMs(), person)
  const outcome: Outcome = { joins: 0, matches: 0, shared: 0, waits: [], forbidden: 0, leftOver: 0 }
  let now = 0

  function take(pairs: Pair[]): void {
    for (const { caller, callee } of pairs) {
      const [one, other] = [people[Number(caller.user)], people[Number(callee.user)]]
      if (!one || !other) throw new Error('a pair of strangers')
      if (!mayMeet(caller, callee, now)) outcome.forbidden += 1
      one.met.add(callee.user)
      other.met.add(caller.user)
      outcome.matches += 1
      if (one.languages.some((language) => other.languages.includes(language))) outcome.shared += 1
      outcome.waits.push(now - caller.since, now - callee.since)
      for (const { user } of [caller, callee]) agenda.add(now + callMs(), Number(user))
    }
  }

  function countLeftOver(): void {
    const entries = [...queue.waiting.keys()].flatMap((user) => queue.find(user) ?? [])
    for (const [index, one] of entries.entries())
      for (const other of entries.slice(index + 1)) if (mayMeet(one, other, now)) outcome.leftOver += 1
  }

  while (outcome.joins < joins) {
    const due = queue.nextTick() ?? Number.POSITIVE_INFINITY
    if (due <= agenda.next) {
      now = Math.max(now, due)
      take(queue.tick(now))
      continue
    }
    now = Math.max(now, agenda.next)
    const user = agenda.take()
    const { languages = [], interests = [], met = new Set<string>() } = people[user] ?? {}
    const wishes = withWishes ? { languages, interests } : { languages: [], interests: [] }
    const newcomer: Newcomer = { region: '', ...wishes, apart: false, blocked: [], met }
    take(queue.join(String(user), newcomer, now))
    outcome.joins += 1
    if (outcome.joins % 1_000 === 0) countLeftOver()
  }
  return outcome
}

function seconds(waits: number[], share: number): string {
  const sorted = waits.toSorted((one, other) => one - other)
  return ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000).toFixed(2)
}

const cases = [
  { waiting: 50, joins: 50_000 },
  { waiting: 500, joins: 150_000 },
  { waiting: 5_000, joins: 800_000 },
]

/** Share of matches with a common language and waits, at each number of waiting people, with languages and without. */
export function languagesReport(): string[] {
  return cases.flatMap(({ waiting, joins }) =>
    [false, true].map((withWishes) => {
      const { matches, shared, waits, forbidden, leftOver } = simulate(waiting, joins, withWishes)
      return [
        `${waiting} waiting, ${withWishes ? 'with' : 'without'} languages: common language ${((100 * shared) / matches).toFixed(1)} %`,
        `wait p50 ${seconds(waits, 0.5)} s, p95 ${seconds(waits, 0.95)} s, p99.9 ${seconds(waits, 0.999)} s`,
        `${joins} joins, ${forbidden} forbidden pairs, ${leftOver} people left over`,
      ].join('; ')
    }),
  )
}
