import fc from 'fast-check'
import { expect } from 'vitest'
import type { Pair, QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'

const KEEP = 45
/** The last two are settings that make no sense; the contract holds with them too. */
const times = fc.constantFrom(
  { languageAfterMs: 3, anybodyAfterMs: 8, relaxAfterMs: 10, spillAfterMs: 4, apartAfterMs: 15, languageCrowd: 0 },
  { languageAfterMs: 3, anybodyAfterMs: 8, relaxAfterMs: 10, spillAfterMs: 4, apartAfterMs: 15, languageCrowd: 3 },
  { languageAfterMs: 6, anybodyAfterMs: 5, relaxAfterMs: 4, spillAfterMs: 10, apartAfterMs: 7, languageCrowd: 0 },
  { languageAfterMs: 3, anybodyAfterMs: 20, relaxAfterMs: 0, spillAfterMs: 4, apartAfterMs: 0, languageCrowd: 0 },
)
const people = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

const regions = ['', 'eu', 'us']

type Wishes = { languages: string[]; interests: string[]; apart: boolean }
type Waiter = Wishes & {
  region: string
  since: number
  spills: boolean
  anyLanguage: boolean
  anyInterest: boolean
  absentUntil: number | null
}
type Join = Wishes & { user: string; region: string; at: number }

/** A simple model of the queue: who waits since when, who may never meet, who has met. */
type Model = Omit<QueueOptions, 'random' | 'keepMs'> & {
  now: number
  waiting: Map<string, Waiter>
  blocked: Set<string>
  met: Set<string>
  joins: Join[]
  queue: Queue
}

const pairKey = (one: string, other: string) => [one, other].sort().join()

function relationsOf(user: string, pairs: Set<string>): string[] {
  return people.filter((other) => other !== user && pairs.has(pairKey(user, other)))
}

function isPresent(waiter: Waiter | undefined): boolean {
  return waiter !== undefined && waiter.absentUntil === null
}

/** True when no other user has joined in this way lately. */
function isAlone(model: Model, user: string, withinMs: number, isAlike: (join: Join) => boolean): boolean {
  return !model.joins.some((join) => join.user !== user && model.now - join.at < withinMs && isAlike(join))
}

const isShared = (some: string[], others: string[]) => some.some((one) => others.includes(one))

/** The joins of this window of `anybodyAfterMs`, and of the one before in proportion. */
function joinRate({ joins, now, anybodyAfterMs }: Model): number {
  const windowOf = (at: number) => Math.floor(at / anybodyAfterMs)
  const inWindow = (window: number) => joins.filter(({ at }) => windowOf(at) === window).length
  return inWindow(windowOf(now)) + inWindow(windowOf(now) - 1) * (1 - (now % anybodyAfterMs) / anybodyAfterMs)
}

/** How little these two share, from 0 to 2; null when they have not waited long enough for it. */
function rankOf(model: Model, one: Waiter, other: Waiter): number | null {
  const hasWaited = (ms: number) => model.now - Math.min(one.since, other.since) >= ms
  const waives = (wait: 'spills' | 'anyLanguage' | 'anyInterest') => one[wait] || other[wait]
  if (one.region !== other.region && !waives('spills') && !hasWaited(model.spillAfterMs)) return null
  const isLanguage = isShared(one.languages, other.languages)
  if (isLanguage && isShared(one.interests, other.interests)) return 0
  if (isLanguage) return waives('anyLanguage') || waives('anyInterest') || hasWaited(model.languageAfterMs) ? 1 : null
  const hasWaitedForAnybody = hasWaited(Math.max(model.anybodyAfterMs, model.languageAfterMs))
  return waives('anyLanguage') || hasWaitedForAnybody ? 2 : null
}

/** Whether these two may be paired now: as 'new', as 'met', or not. */
function eligible(model: Model, one: string, other: string): 'new' | 'met' | null {
  const [first, second] = [model.waiting.get(one), model.waiting.get(other)]
  if (one === other || !first || !second || model.blocked.has(pairKey(one, other))) return null
  const ordinary = first.apart ? second : first
  if (first.apart !== second.apart && model.now - ordinary.since < model.apartAfterMs) return null
  if (rankOf(model, first, second) === null) return null
  if (!model.met.has(pairKey(one, other))) return 'new'
  return model.now - Math.min(first.since, second.since) >= model.relaxAfterMs ? 'met' : null
}

function take(model: Model, pairs: Pair[]): void {
  for (const { caller, callee } of pairs) {
    const [one, other] = [caller.user, callee.user]
    expect(isPresent(model.waiting.get(one)) && isPresent(model.waiting.get(other))).toBe(true)
    const kind = eligible(model, one, other)
    expect(kind).not.toBeNull()
    if (kind === 'met') expectNobodyNewFor(model, one, other)
    else expectNobodyBetterFor(model, one, other)
    model.waiting.delete(one)
    model.waiting.delete(other)
    model.met.add(pairKey(one, other))
  }
}

/** Neither of the two has a new partner in the own part of the queue. */
function expectNobodyNewFor(model: Model, ...pair: string[]): void {
  const others = people.filter((other) => !pair.includes(other) && isPresent(model.waiting.get(other)))
  for (const user of pair)
    for (const other of others)
      if (model.waiting.get(user)?.apart === model.waiting.get(other)?.apart)
        expect(eligible(model, user, other)).not.toBe('new')
}

/**
 * Expects the match to be the best choice for at least one user of the pair. A choice is better in the same part of the queue than in the
 * other, then with more in common, then in the same region.
 */
function expectNobodyBetterFor(model: Model, ...pair: [string, string]): void {
  const value = (user: string, other: string) => {
    const [one, two] = [model.waiting.get(user), model.waiting.get(other)]
    if (!one || !two || eligible(model, user, other) !== 'new') return Number.POSITIVE_INFINITY
    const part = one.apart === two.apart ? 0 : 6
    return part + (rankOf(model, one, two) ?? 0) * 2 + (one.region === two.region ? 0 : 1)
  }
  const others = people.filter((other) => !pair.includes(other) && isPresent(model.waiting.get(other)))
  const chosen = value(...pair)
  expect(pair.some((user) => others.every((other) => value(user, other) >= chosen))).toBe(true)
}

/** What must hold after every step: each user has the expected entry, and no eligible pair is left waiting. */
async function check(model: Model): Promise<void> {
  for (const [user, { absentUntil }] of model.waiting)
    if (absentUntil !== null && absentUntil <= model.now) model.waiting.delete(user)
  const present = people.filter((user) => isPresent(model.waiting.get(user)))
  for (const user of people) {
    const waiter = model.waiting.get(user)
    const entry = await model.queue.find(user)
    if (waiter) expect([entry?.since, entry?.region]).toEqual([waiter.since, waiter.region])
    else if (entry) {
      // An expired entry may still be there, but has no effect.
      expect(await model.queue.resume(user, '', model.now)).toEqual([])
      expect(await model.queue.find(user)).toBeNull()
    }
    for (const other of present) if (present.includes(user)) expect(eligible(model, user, other)).toBeNull()
  }
}

type Step = (model: Model) => void | Promise<void>
const user = fc.constantFrom(...people)
const region = fc.constantFrom(...regions)

const wishes = fc.record({
  languages: fc.subarray(['en', 'es', 'fr']),
  interests: fc.subarray(['chess', 'go']),
  apart: fc.boolean(),
})

const joinOf =
  (user: string, region: string, { languages, interests, apart }: Wishes): Step =>
  async (model) => {
    const kept = model.waiting.get(user)
    const valid = kept && (kept.absentUntil === null || kept.absentUntil > model.now)
    const spills = isAlone(model, user, model.spillAfterMs, (join) => join.region === region)
    const sharesLanguage = (join: Join) => isShared(join.languages, languages)
    const sharesBoth = (join: Join) => sharesLanguage(join) && isShared(join.interests, interests)
    const isCrowd = joinRate(model) >= model.languageCrowd
    const anyLanguage = !isCrowd || isAlone(model, user, model.anybodyAfterMs, sharesLanguage)
    const anyInterest = isAlone(model, user, model.languageAfterMs, sharesBoth)
    const since = valid ? kept.since : model.now
    model.joins.push({ user, region, languages, interests, apart, at: model.now })
    const waits = { since, spills, anyLanguage, anyInterest, absentUntil: null }
    model.waiting.set(user, { region, languages, interests, apart, ...waits })
    const newcomer = {
      region,
      languages,
      interests,
      apart,
      blocked: relationsOf(user, model.blocked),
      met: relationsOf(user, model.met),
    }
    take(model, await model.queue.join(user, newcomer, model.now))
  }
const join = fc.tuple(user, region, wishes).map(([user, region, wishes]) => joinOf(user, region, wishes))
const leave = user.map(
  (user): Step =>
    async (model) => {
      model.waiting.delete(user)
      await model.queue.leave(user)
    },
)
const dropOf =
  (user: string): Step =>
  async (model) => {
    const waiter = model.waiting.get(user)
    if (waiter) waiter.absentUntil = model.now + KEEP
    await model.queue.drop(user, model.now)
  }
const drop = user.map(dropOf)
const resumeOf =
  (user: string, region: string): Step =>
  async (model) => {
    const waiter = model.waiting.get(user)
    if (waiter) Object.assign(waiter, { absentUntil: null, region })
    take(model, await model.queue.resume(user, region, model.now))
  }
const resume = fc.tuple(user, region).map(([user, region]) => resumeOf(user, region))
const blockOf =
  (by: string, whom: string): Step =>
  async (model) => {
    if (by === whom) return
    model.blocked.add(pairKey(by, whom))
    await model.queue.block(by, whom)
  }
const block = fc.tuple(user, user).map(([by, whom]) => blockOf(by, whom))
/** A block between two users who are both absent, which single steps rarely produce: neither entry is in a list of waiting users. */
const blockWhileAway = fc
  .tuple(user, user, region, wishes)
  .map(([one, other, region, wishes]): Step[] => [
    ...[one, other].flatMap((user) => [joinOf(user, region, wishes), dropOf(user)]),
    blockOf(one, other),
    ...[one, other].map((user) => resumeOf(user, region)),
  ])
const pass = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.boolean()).map(
  ([ms, isLate]): Step =>
    async (model) => {
      const until = model.now + ms
      // As the hub does: a tick whenever `nextTick` is due, unless the process was suspended.
      for (let due = model.queue.nextTick(); !isLate && due !== null && due <= until; due = model.queue.nextTick()) {
        model.now = Math.max(model.now, due)
        take(model, await model.queue.tick(model.now))
      }
      model.now = until
      take(model, await model.queue.tick(until))
    },
)

const single = fc.oneof(
  { weight: 6, arbitrary: join },
  { weight: 1, arbitrary: leave },
  { weight: 2, arbitrary: drop },
  { weight: 2, arbitrary: resume },
  { weight: 1, arbitrary: block },
  { weight: 3, arbitrary: pass },
)
const steps = fc
  .array(fc.oneof({ weight: 15, arbitrary: single.map((step) => [step]) }, blockWhileAway), {
    minLength: 1,
    maxLength: 90,
    size: 'max',
  })
  .map((parts) => parts.flat())

/** Runs random steps against the queue and the model; rejects with the shortest run in which they differ. */
export async function checkQueueModel(make: (options: QueueOptions) => Queue | Promise<Queue>, numRuns: number) {
  const noise = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  await fc.assert(
    fc.asyncProperty(steps, times, noise, async (run, after, random) => {
      const queue = await make({ ...after, keepMs: KEEP, random: () => random.next().value })
      const model: Model = {
        ...after,
        now: 0,
        waiting: new Map(),
        blocked: new Set(),
        met: new Set(),
        joins: [],
        queue,
      }
      for (const step of run) {
        await step(model)
        await check(model)
      }
    }),
    { numRuns },
  )
}
