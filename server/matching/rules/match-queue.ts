import { isLater, type ListNode, type QueueEntry, WaitingList } from './waiting-list.ts'

/** A user who joins: their region, the users they may never meet, and those they have met before. */
export type Newcomer = { region: string; blocked: Iterable<string>; met: Iterable<string> }

export type Pair = { caller: QueueEntry; callee: QueueEntry }

/** By region: users who wait, and absent users whose entry is kept. A region without users may be missing. */
export type RegionCounts = Map<string, { waiting: number; away: number }>

export type QueueOptions = { random: () => number; relaxAfterMs: number; spillAfterMs: number; keepMs: number }

type Absent = { entry: QueueEntry; until: number }
type Found = { fresh: QueueEntry | null; met: QueueEntry | null }

function earliest(entries: (QueueEntry | null)[]): QueueEntry | null {
  return entries.reduce((first, entry) => (first && (!entry || isLater(entry, first)) ? first : entry), null)
}

/**
 * The users who wait for a partner. Pure: time is an argument and must not run backwards, randomness is injected.
 *
 * A user has at most one entry and is never paired with themself. Two users are eligible for each other at a time when all of
 * this holds:
 * - neither has blocked the other;
 * - they are of one region, or one of them spills: has waited `spillAfterMs`, or joined a region in which no other user had
 *   joined for `spillAfterMs`;
 * - they have not met, or one of them has waited `relaxAfterMs`.
 *
 * After every method no two users who are present and eligible at its time are left waiting. An earlier partner
 * is taken only when no new partner is eligible for either; then the own region comes first, then the longest wait.
 *
 * So all users who wait in one region exclude each other, and a scan of a region skips only users who exclude the newcomer
 * or are excluded by the newcomer: a join costs O(exclusions of the newcomer + regions), however many eligible users wait.
 * `leave`, `drop` and `nextTick` cost O(1).
 */
export class MatchQueue {
  readonly #options: QueueOptions
  /** The entry of each waiting user, with its nodes in the lists. */
  readonly #waiting = new Map<string, { entry: QueueEntry; nodes: ListNode[] }>()
  /** The waiting list of each region; a region without waiting users has none. */
  readonly #byRegion = new Map<string, WaitingList>()
  /** Entries that have not waited `relaxAfterMs`. */
  readonly #recent = new WaitingList()
  /** Entries that do not spill yet. */
  readonly #local = new WaitingList()
  /** Entries that spill from the beginning. The other spilling entries are the first of their region's list. */
  readonly #early = new WaitingList()
  /** The last user who joined each region, and when another user had joined it before. */
  readonly #latest = new Map<string, { user: string; at: number; before: number | null }>()
  /** Entries of absent users, in the order in which they expire. */
  readonly #absent = new Map<string, Absent>()

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** The users who wait, without absent ones. */
  get waiting(): ReadonlyMap<string, unknown> {
    return this.#waiting
  }

  /** Adds an entry, or renews region and exclusions of the existing one and keeps its waiting time. Returns the pairs made. */
  join(user: string, { region, blocked, met }: Newcomer, now: number): Pair[] {
    this.#expire(now)
    const held = this.#takeOut(user)
    const pairs = this.#advance(now)
    const entry: QueueEntry = {
      user,
      region,
      spills: this.#isFirstIn(region, user, now),
      since: held?.since ?? now,
      lot: held?.lot ?? this.#options.random(),
      blocked: new Set(blocked),
      met: new Set(met),
    }
    return this.#enter(entry, now, pairs)
  }

  /** Puts an entry back after a match that failed, with its waiting time. */
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

  /** Like `restore`, for an absent user. */
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

  /** From now on these two are never paired. */
  block(one: string, other: string): void {
    this.find(one)?.blocked.add(other)
    this.find(other)?.blocked.add(one)
  }

  /** Expires entries of absent users and pairs users who became eligible by waiting. */
  tick(now: number): Pair[] {
    this.#expire(now)
    return this.#advance(now)
  }

  /** The time at which `tick` must run next, so that no eligible users are left waiting; null when it need not run. */
  nextTick(): number | null {
    const due = ({ first }: WaitingList, afterMs: number) => (first ? [first.entry.since + afterMs] : [])
    const { relaxAfterMs, spillAfterMs } = this.#options
    const spill = this.#byRegion.size > 1 ? due(this.#local, spillAfterMs) : []
    const times = [...due(this.#recent, relaxAfterMs), ...spill]
    return times.length === 0 ? null : Math.min(...times)
  }

  /** The entry of a waiting or absent user. */
  find(user: string): QueueEntry | null {
    return (this.#waiting.get(user) ?? this.#absent.get(user))?.entry ?? null
  }

  counts(): RegionCounts {
    const counts: RegionCounts = new Map(
      [...this.#byRegion].map(([region, { size }]) => [region, { waiting: size, away: 0 }]),
    )
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
    const due = (list: WaitingList, isDue: (entry: QueueEntry) => boolean) => {
      const entries: QueueEntry[] = []
      for (let node = list.first; node && isDue(node.entry); node = list.first) {
        list.remove(node)
        entries.push(node.entry)
      }
      return entries
    }
    const spilled = due(this.#local, (entry) => this.#spills(entry, now))
    const relaxed = due(this.#recent, (entry) => this.#isRelaxed(entry, now))
    const pairs: Pair[] = []
    const match = (entry: QueueEntry, choose: (found: Found) => QueueEntry | null) => {
      const partner = this.#waiting.has(entry.user) ? choose(this.#search(entry, now)) : null
      if (!partner) return
      this.#takeOut(entry.user)
      this.#pair(entry, partner, pairs)
    }
    for (const entry of spilled) match(entry, ({ fresh }) => fresh)
    for (const entry of [...spilled, ...relaxed]) match(entry, ({ fresh, met }) => fresh ?? met)
    return pairs
  }

  #isRelaxed(entry: QueueEntry, now: number): boolean {
    return now - entry.since >= this.#options.relaxAfterMs
  }

  #spills(entry: QueueEntry, now: number): boolean {
    return entry.spills || now - entry.since >= this.#options.spillAfterMs
  }

  /** Records that the user joins the region. True when no other user has joined it for `spillAfterMs`. */
  #isFirstIn(region: string, user: string, now: number): boolean {
    const latest = this.#latest.get(region)
    const before = (latest?.user === user ? latest.before : latest?.at) ?? null
    this.#latest.set(region, { user, at: now, before })
    return before === null || now - before >= this.#options.spillAfterMs
  }

  #takeOut(user: string): QueueEntry | null {
    const entry = this.find(user)
    if (!entry) return null
    for (const node of this.#waiting.get(user)?.nodes ?? []) node.list?.remove(node)
    if (this.#byRegion.get(entry.region)?.size === 0) this.#byRegion.delete(entry.region)
    this.#waiting.delete(user)
    this.#absent.delete(user)
    return entry
  }

  #enter(entry: QueueEntry, now: number, pairs: Pair[]): Pair[] {
    const { fresh, met } = this.#search(entry, now)
    const partner = fresh ?? met
    if (partner) return this.#pair(entry, partner, pairs)
    const list = this.#byRegion.get(entry.region) ?? new WaitingList()
    this.#byRegion.set(entry.region, list)
    const nodes = [list.add(entry)]
    if (!this.#isRelaxed(entry, now)) nodes.push(this.#recent.add(entry))
    if (entry.spills) nodes.push(this.#early.add(entry))
    else if (!this.#spills(entry, now)) nodes.push(this.#local.add(entry))
    this.#waiting.set(entry.user, { entry, nodes })
    return pairs
  }

  #pair(entry: QueueEntry, partner: QueueEntry, pairs: Pair[]): Pair[] {
    this.#takeOut(partner.user)
    pairs.push(this.#options.random() < 0.5 ? { caller: entry, callee: partner } : { caller: partner, callee: entry })
    return pairs
  }

  /** The best eligible partners: a new one and one met before. */
  #search(entry: QueueEntry, now: number): Found {
    const own = this.#searchIn(this.#byRegion.get(entry.region), entry)
    if (own.fresh) return own
    const spills = this.#spills(entry, now)
    const lists = [...this.#byRegion].filter(([region]) => region !== entry.region).map(([, list]) => list)
    if (lists.length > 0 && !spills) lists.push(this.#early)
    const there = lists.map((list) => this.#searchIn(list, entry))
    const inReach = (other: QueueEntry | null) => (other && (spills || this.#spills(other, now)) ? other : null)
    const relaxed = this.#isRelaxed(entry, now)
    const again = (other: QueueEntry | null) => (other && (relaxed || this.#isRelaxed(other, now)) ? other : null)
    return {
      fresh: earliest(there.map(({ fresh }) => inReach(fresh))),
      met: again(own.met) ?? earliest(there.map(({ met }) => again(inReach(met)))),
    }
  }

  /** The first new partner in the list, and the first met one before it. A later entry spills only if an earlier one does. */
  #searchIn(list: WaitingList | undefined, entry: QueueEntry): Found {
    let met: QueueEntry | null = null
    for (const other of list ?? []) {
      if (other.user === entry.user || entry.blocked.has(other.user) || other.blocked.has(entry.user)) continue
      if (!entry.met.has(other.user) && !other.met.has(entry.user)) return { fresh: other, met }
      met ??= other
    }
    return { fresh: null, met }
  }
}
