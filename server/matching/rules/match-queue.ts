import type { Shared } from '#protocol/hub.ts'
import { type MeetingTimes, type Rank, ranks, sharedInterestKeys, waitToMeet } from './meeting-terms.ts'
import { JoinRate, RecentJoins } from './recent-joins.ts'
import { Speakers } from './speakers.ts'
import { WaitingGroups } from './waiting-groups.ts'
import { isLater, type ListNode, type QueueEntry, WaitingList } from './waiting-list.ts'

/** A user who joins. */
export type Newcomer = {
  region: string
  languages: readonly string[]
  interests: readonly string[]
  apart: boolean
  blocked: Iterable<string>
  met: Iterable<string>
}

/**
 * Returns an entry for a user whose entry was lost. It has no waivers, so that the users who return first do not get
 * less suitable partners before the others are back.
 */
export function newWait(user: string, { blocked, met, ...newcomer }: Newcomer, now: number): QueueEntry {
  return {
    ...newcomer,
    user,
    spills: false,
    anyLanguage: newcomer.languages.length === 0,
    anyInterest: newcomer.interests.length === 0,
    since: now,
    lot: 0,
    blocked: new Set(blocked),
    met: new Set(met),
  }
}

export type Pair = { caller: QueueEntry; callee: QueueEntry }

/** Returns what both users of a pair have named; undefined when they have named nothing in common. */
export function sharedOf({ caller, callee }: Pair): Shared | undefined {
  const languages = caller.languages.filter((language) => callee.languages.includes(language))
  const interests = caller.interests.filter((interest) => callee.interests.includes(interest))
  return languages.length + interests.length > 0 ? { languages, interests } : undefined
}

/** By region: users who wait, and absent users whose entries are kept. A region without users may be missing. */
export type RegionCounts = Map<string, { waiting: number; away: number }>

export type QueueOptions = MeetingTimes & {
  random: () => number
  keepMs: number
  /** While fewer people than this join within `anybodyAfterMs`, nobody waits for a common language. */
  languageCrowd: number
}

/** The waiting entries of a part of the queue by region: those of users who wait apart, or those of all others. */
type Part = Map<string, WaitingGroups>

type Absent = { entry: QueueEntry; until: number }
type Found = { fresh: QueueEntry | null; met: QueueEntry | null }
const nobody: Found = { fresh: null, met: null }
/** A wait that a user may have, and the entries whose wait is not over. */
type PendingWait = { list: WaitingList; afterMs: number; applies: (entry: QueueEntry) => boolean }

function earlier(one: QueueEntry | null, other: QueueEntry | null): QueueEntry | null {
  if (!one || !other) return one ?? other
  return isLater(one, other) ? other : one
}

/**
 * The users who wait for a partner. Pure: time is an argument and must not run backwards, randomness is injected.
 *
 * A user has at most one entry and is never paired with themself. Two users are eligible for each other at a time when all of
 * this holds:
 * - neither has blocked the other;
 * - one of them has waited as long as `waitToMeet` says;
 * - both wait apart, or neither waits apart, or the ordinary user has waited `apartAfterMs`;
 * - they have not met, or one of them has waited `relaxAfterMs`.
 *
 * After every method no two users who are present and eligible at its time are left waiting. Order of preference for a
 * partner: the own part of the queue; a new partner; a common language and interest, then a common language; the own
 * region; the longest wait.
 *
 * A scan of a group of waiting users stops at the first user who has not waited long enough, and skips only users who exclude the newcomer
 * or are excluded by the newcomer: a join costs O(exclusions of the newcomer + the newcomer's groups * regions), however many users wait.
 */
export class MatchQueue {
  readonly #options: QueueOptions
  /** The entry of each waiting user, with its nodes in the lists. */
  readonly #waiting = new Map<string, { entry: QueueEntry; nodes: ListNode[] }>()
  readonly #speakers = new Speakers()
  readonly #ordinary: Part = new Map()
  readonly #apart: Part = new Map()
  readonly #waits: Record<'language' | 'spill' | 'anybody' | 'apart' | 'relax', PendingWait>
  readonly #regionJoins: RecentJoins
  readonly #languageJoins: RecentJoins
  readonly #interestJoins: RecentJoins
  readonly #joinRate: JoinRate
  /** By user, in the order in which the entries expire. */
  readonly #absent = new Map<string, Absent>()

  constructor(options: QueueOptions) {
    this.#options = options
    const { languageAfterMs, anybodyAfterMs, spillAfterMs, apartAfterMs, relaxAfterMs } = options
    this.#waits = {
      language: {
        list: new WaitingList(),
        afterMs: languageAfterMs,
        applies: (entry) => !entry.anyLanguage && !entry.anyInterest,
      },
      spill: { list: new WaitingList(), afterMs: spillAfterMs, applies: (entry) => !entry.spills },
      anybody: {
        list: new WaitingList(),
        afterMs: Math.max(languageAfterMs, anybodyAfterMs),
        applies: (entry) => !entry.anyLanguage,
      },
      apart: { list: new WaitingList(), afterMs: apartAfterMs, applies: (entry) => !entry.apart },
      relax: { list: new WaitingList(), afterMs: relaxAfterMs, applies: () => true },
    }
    this.#regionJoins = new RecentJoins(spillAfterMs)
    this.#languageJoins = new RecentJoins(anybodyAfterMs)
    this.#interestJoins = new RecentJoins(languageAfterMs)
    this.#joinRate = new JoinRate(anybodyAfterMs)
  }

  get waiting(): ReadonlyMap<string, unknown> {
    return this.#waiting
  }

  get speakers(): Pick<Speakers, 'counts' | 'of'> {
    return this.#speakers
  }

  /** Adds an entry, or renews an existing entry but for its waiting time. Returns the pairs that were made. */
  join(user: string, newcomer: Newcomer, now: number): Pair[] {
    this.#expire(now)
    const held = this.#takeOut(user)
    const pairs = this.#advance(now)
    const { blocked, met, ...facts } = newcomer
    const { region, languages, interests } = facts
    const isCrowd = this.#joinRate.add(now) >= this.#options.languageCrowd
    const isLanguageAlone = this.#languageJoins.isAlone(user, languages, now)
    const entry: QueueEntry = {
      ...facts,
      user,
      spills: this.#regionJoins.isAlone(user, [region], now),
      anyLanguage: isLanguageAlone || !isCrowd,
      anyInterest: this.#interestJoins.isAlone(user, sharedInterestKeys(languages, interests), now),
      since: held?.since ?? now,
      lot: held?.lot ?? this.#options.random(),
      blocked: new Set(blocked),
      met: new Set(met),
    }
    return this.#enter(entry, now, pairs)
  }

  /** Puts an entry back after a match that failed. The entry keeps its waiting time. */
  restore(entry: QueueEntry, now: number): Pair[] {
    this.#takeOut(entry.user)
    const pairs = this.tick(now)
    return this.#enter(entry, now, pairs)
  }

  /** Marks the user absent: the entry is kept for `keepMs` and not paired. For an absent user `keepMs` starts anew. */
  drop(user: string, now: number): void {
    const entry = this.#takeOut(user)
    if (entry) this.hold(entry, now)
  }

  /** Does what `restore` does, for an absent user. */
  hold(entry: QueueEntry, now: number): void {
    this.#takeOut(entry.user)
    this.#absent.set(entry.user, { entry, until: now + this.#options.keepMs })
  }

  /** Returns an absent user to the queue, or moves a waiting user to another region. Does nothing for other users. */
  resume(user: string, region: string, now: number): Pair[] {
    const pairs = this.tick(now)
    if (this.#waiting.get(user)?.entry.region === region) return pairs
    const entry = this.#takeOut(user)
    return entry ? this.#enter({ ...entry, region }, now, pairs) : pairs
  }

  leave(user: string): void {
    this.#takeOut(user)
  }

  /** From now on the two users are never paired. */
  block(one: string, other: string): void {
    this.find(one)?.blocked.add(other)
    this.find(other)?.blocked.add(one)
  }

  /** Expires entries of absent users and pairs users who became eligible by waiting. */
  tick(now: number): Pair[] {
    this.#expire(now)
    return this.#advance(now)
  }

  /** Returns when `tick` must run next, so that no eligible users are left waiting; null when it need not run. */
  nextTick(): number | null {
    const { language, spill, anybody, apart, relax } = this.#waits
    const hasRegions = new Set([...this.#ordinary.keys(), ...this.#apart.keys()]).size > 1
    const hasParts = this.#ordinary.size > 0 && this.#apart.size > 0
    const waits = [language, anybody, relax, ...(hasRegions ? [spill] : []), ...(hasParts ? [apart] : [])]
    const times = waits.flatMap(({ list: { first }, afterMs }) => (first ? [first.entry.since + afterMs] : []))
    return times.length === 0 ? null : Math.min(...times)
  }

  find(user: string): QueueEntry | null {
    return (this.#waiting.get(user) ?? this.#absent.get(user))?.entry ?? null
  }

  counts(): RegionCounts {
    const counts: RegionCounts = new Map()
    for (const [region, { size }] of [...this.#ordinary, ...this.#apart])
      counts.set(region, { waiting: (counts.get(region)?.waiting ?? 0) + size, away: 0 })
    for (const { entry } of this.#absent.values()) {
      const { waiting, away } = counts.get(entry.region) ?? { waiting: 0, away: 0 }
      counts.set(entry.region, { waiting, away: away + 1 })
    }
    return counts
  }

  #expire(now: number): void {
    for (const [user, { until }] of this.#absent) {
      if (until > now) return
      this.#absent.delete(user)
    }
  }

  /** Pairs users who became eligible by waiting: first all of them with new partners, then with partners they have met. */
  #advance(now: number): Pair[] {
    const due = ({ list, afterMs }: PendingWait) => {
      const entries: QueueEntry[] = []
      for (let node = list.first; node && now - node.entry.since >= afterMs; node = list.first) {
        list.remove(node)
        entries.push(node.entry)
      }
      return entries
    }
    const { language, spill, anybody, apart, relax } = this.#waits
    const wider = [...due(language), ...due(spill), ...due(anybody), ...due(apart)]
    const relaxed = due(relax)
    const pairs: Pair[] = []
    const match = (entry: QueueEntry, choose: (found: Found) => QueueEntry | null) => {
      const partner = this.#waiting.has(entry.user) ? choose(this.#search(entry, now)) : null
      if (!partner) return
      this.#takeOut(entry.user)
      this.#pair(entry, partner, pairs)
    }
    for (const entry of wider) match(entry, ({ fresh }) => fresh)
    for (const entry of [...wider, ...relaxed]) match(entry, ({ fresh, met }) => fresh ?? met)
    return pairs
  }

  #takeOut(user: string): QueueEntry | null {
    const entry = this.find(user)
    if (!entry) return null
    this.#absent.delete(user)
    const waiting = this.#waiting.get(user)
    if (!waiting) return entry
    this.#waiting.delete(user)
    this.#speakers.remove(user)
    for (const node of waiting.nodes) node.list?.remove(node)
    const part = this.#partOf(entry)
    const groups = part.get(entry.region)
    groups?.remove(entry)
    if (groups?.size === 0) part.delete(entry.region)
    return entry
  }

  #enter(entry: QueueEntry, now: number, pairs: Pair[]): Pair[] {
    const { fresh, met } = this.#search(entry, now)
    const partner = fresh ?? met
    if (partner) return this.#pair(entry, partner, pairs)
    const part = this.#partOf(entry)
    const groups = part.get(entry.region) ?? new WaitingGroups()
    part.set(entry.region, groups)
    const nodes = groups.add(entry)
    for (const { list, afterMs, applies } of Object.values(this.#waits))
      if (now - entry.since < afterMs && applies(entry)) nodes.push(list.add(entry))
    this.#waiting.set(entry.user, { entry, nodes })
    this.#speakers.add(entry.user, entry.languages)
    return pairs
  }

  #pair(entry: QueueEntry, partner: QueueEntry, pairs: Pair[]): Pair[] {
    this.#takeOut(partner.user)
    pairs.push(this.#options.random() < 0.5 ? { caller: entry, callee: partner } : { caller: partner, callee: entry })
    return pairs
  }

  #partOf({ apart }: QueueEntry): Part {
    return apart ? this.#apart : this.#ordinary
  }

  /** Returns the best eligible partners of the user's part of the queue; if it has none, those of the other part. */
  #search(entry: QueueEntry, now: number): Found {
    const { apartAfterMs } = this.#options
    const found = this.#searchPart(this.#partOf(entry), 0, entry, now)
    if (found !== nobody) return found
    if (entry.apart) return this.#searchPart(this.#ordinary, apartAfterMs, entry, now)
    return now - entry.since < apartAfterMs ? nobody : this.#searchPart(this.#apart, 0, entry, now)
  }

  /** Searches the users of a part of the queue who have waited at least `minMs`. */
  #searchPart(part: Part, minMs: number, entry: QueueEntry, now: number): Found {
    let met: QueueEntry | null = null
    for (const rank of ranks) {
      const groups = part.get(entry.region)
      const own = groups ? this.#searchRegion(entry.region, groups, minMs, entry, rank, now) : nobody
      if (own.fresh) return own
      let fresh: QueueEntry | null = null
      let known: QueueEntry | null = null
      for (const [region, others] of part) {
        if (region === entry.region) continue
        const found = this.#searchRegion(region, others, minMs, entry, rank, now)
        fresh = earlier(fresh, found.fresh)
        known = earlier(known, found.met)
      }
      if (fresh) return { fresh, met }
      met ??= own.met ?? known
    }
    return met ? { fresh: null, met } : nobody
  }

  #searchRegion(
    region: string,
    groups: WaitingGroups,
    minMs: number,
    entry: QueueEntry,
    rank: Rank,
    now: number,
  ): Found {
    let best = nobody
    for (const group of groups.groups(entry, rank)) {
      for (const [code, list] of group.entries()) {
        if (!list?.first) continue
        const waitMs = waitToMeet(rank, region === entry.region, entry, code, this.#options)
        const found = this.#searchIn(list, entry, waitMs, minMs, now)
        if (found === nobody) continue
        best = { fresh: earlier(best.fresh, found.fresh), met: earlier(best.met, found.met) }
      }
    }
    return best
  }

  /**
   * Returns the first new partner, and the first earlier partner found before. The partner must have waited `minMs`;
   * the partner or the user must have waited `waitMs`.
   */
  #searchIn(list: WaitingList, entry: QueueEntry, waitMs: number, minMs: number, now: number): Found {
    const { relaxAfterMs } = this.#options
    const isReady = now - entry.since >= waitMs
    const isRelaxed = now - entry.since >= relaxAfterMs
    let met: QueueEntry | null = null
    for (let node = list.first; node; node = node.after) {
      const other = node.entry
      if (now - other.since < (isReady ? minMs : Math.max(waitMs, minMs))) break
      if (other.user === entry.user || entry.blocked.has(other.user) || other.blocked.has(entry.user)) continue
      if (!entry.met.has(other.user) && !other.met.has(entry.user)) return { fresh: other, met }
      if (isRelaxed || now - other.since >= relaxAfterMs) met ??= other
    }
    return met ? { fresh: null, met } : nobody
  }
}
