import { isLater, type ListNode, type QueueEntry, WaitingList } from './waiting-list.ts'

/** Where somebody is, whom they may never meet, and whom they have met before. */
export type Newcomer = { region: string; blocked: Iterable<string>; met: Iterable<string> }

export type Pair = { caller: QueueEntry; callee: QueueEntry }

/** By region, how many wait, and how many are away with a place that is kept. A region with nobody may be missing. */
export type RegionCounts = Map<string, { waiting: number; away: number }>

export type QueueOptions = { random: () => number; relaxAfterMs: number; spillAfterMs: number; keepMs: number }

type Absent = { entry: QueueEntry; until: number }
type Found = { fresh: QueueEntry | null; met: QueueEntry | null }

function earliest(places: (QueueEntry | null)[]): QueueEntry | null {
  return places.reduce((first, place) => (first && (!place || isLater(place, first)) ? first : place), null)
}

/**
 * Who waits for a partner. Pure: time comes in as an argument and must not run backwards, randomness is injected.
 *
 * One place a user; nobody is paired with themself. Two are eligible for each other at a time when all of this holds:
 * - neither has blocked the other;
 * - they are of one region, or one of them spills: has waited `spillAfterMs`, or was the first for `spillAfterMs` to join
 *   a region that is so thin;
 * - they have not met, or one of them has waited `relaxAfterMs`.
 *
 * After every call no two people who are present and eligible at its time are left waiting. Who has met is the last choice,
 * taken only where nobody new is eligible for either; with that, one's own region comes first, and then who has waited longest.
 *
 * So all who wait in one region exclude each other, and a scan of a region passes over none but people whom the newcomer
 * excludes or who exclude the newcomer before it finds a partner or ends: a join costs O(exclusions of the newcomer +
 * regions), however many eligible people wait. Leaving, dropping out and taking the next due time cost O(1).
 */
export class MatchQueue {
  readonly #options: QueueOptions
  /** Everybody who waits: their place, and where it stands in the lines. */
  readonly #waiting = new Map<string, { entry: QueueEntry; nodes: ListNode[] }>()
  /** The line of each region in which anybody waits. */
  readonly #byRegion = new Map<string, WaitingList>()
  /** Those who have not waited `relaxAfterMs`. */
  readonly #recent = new WaitingList()
  /** Those who do not spill yet. */
  readonly #local = new WaitingList()
  /** Those who have spilled from the beginning: the others are the first of their lines. */
  readonly #early = new WaitingList()
  /** Who joined a region last, and when anybody else had done so before. */
  readonly #latest = new Map<string, { user: string; at: number; before: number | null }>()
  /** Those who dropped out and may come back, in the order in which their places expire. */
  readonly #absent = new Map<string, Absent>()

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** Takes a place, or renews region and exclusions of the one that is there, with its waiting time. Answers the pairs made. */
  join(user: string, { region, blocked, met }: Newcomer, now: number): Pair[] {
    this.#expire(now)
    const held = this.#takeOut(user)
    const pairs = this.#advance(now)
    const place: QueueEntry = {
      user,
      region,
      spills: this.#isFirstIn(region, user, now),
      since: held?.since ?? now,
      lot: held?.lot ?? this.#options.random(),
      blocked: new Set(blocked),
      met: new Set(met),
    }
    return this.#enter(place, now, pairs)
  }

  /** Puts somebody back whose match came to nothing, with the waiting time they had. */
  restore(place: QueueEntry, now: number): Pair[] {
    this.#takeOut(place.user)
    const pairs = this.tick(now)
    return this.#enter(place, now, pairs)
  }

  /** Keeps the place for a while without pairing it; again for somebody absent, it starts that while anew. */
  drop(user: string, now: number): void {
    const place = this.#takeOut(user)
    if (place) this.hold(place, now)
  }

  /** Like `restore` for somebody who is not there. */
  hold(place: QueueEntry, now: number): void {
    this.#takeOut(place.user)
    this.#absent.set(place.user, { entry: place, until: now + this.#options.keepMs })
  }

  /** Somebody absent is back, or somebody who waits is in another region. Does nothing for anybody else. */
  resume(user: string, region: string, now: number): Pair[] {
    const pairs = this.tick(now)
    if (this.#waiting.get(user)?.entry.region === region) return pairs
    const place = this.#takeOut(user)
    return place ? this.#enter({ ...place, region }, now, pairs) : pairs
  }

  leave(user: string): void {
    this.#takeOut(user)
  }

  /** From now on these two are never paired. */
  block(one: string, other: string): void {
    this.find(one)?.blocked.add(other)
    this.find(other)?.blocked.add(one)
  }

  /** Lets time pass: expires places of absent people and pairs those whom the passing of time made eligible. */
  tick(now: number): Pair[] {
    this.#expire(now)
    return this.#advance(now)
  }

  /** When `tick` is next needed to keep the promise that nobody is stranded; null while it is not. */
  nextTick(): number | null {
    const due = ({ first }: WaitingList, afterMs: number) => (first ? [first.entry.since + afterMs] : [])
    const { relaxAfterMs, spillAfterMs } = this.#options
    const spill = this.#byRegion.size > 1 ? due(this.#local, spillAfterMs) : []
    const times = [...due(this.#recent, relaxAfterMs), ...spill]
    return times.length === 0 ? null : Math.min(...times)
  }

  /** The place of somebody who waits or is absent. */
  find(user: string): QueueEntry | null {
    return (this.#waiting.get(user) ?? this.#absent.get(user))?.entry ?? null
  }

  counts(): RegionCounts {
    const counts: RegionCounts = new Map(
      [...this.#byRegion].map(([region, { size }]) => [region, { waiting: size, away: 0 }]),
    )
    for (const { entry: place } of this.#absent.values()) {
      const { waiting, away } = counts.get(place.region) ?? { waiting: 0, away: 0 }
      counts.set(place.region, { waiting, away: away + 1 })
    }
    return counts
  }

  #expire(now: number): void {
    for (const [user, { until }] of this.#absent) {
      if (until > now) return
      this.#absent.delete(user)
    }
  }

  /** Those whom time has made eligible first meet somebody new, all of them, and only then whom they have met. */
  #advance(now: number): Pair[] {
    const due = (line: WaitingList, isDue: (place: QueueEntry) => boolean) => {
      const places: QueueEntry[] = []
      for (let seat = line.first; seat && isDue(seat.entry); seat = line.first) {
        line.remove(seat)
        places.push(seat.entry)
      }
      return places
    }
    const spilled = due(this.#local, (place) => this.#spills(place, now))
    const relaxed = due(this.#recent, (place) => this.#isRelaxed(place, now))
    const pairs: Pair[] = []
    const match = (place: QueueEntry, choose: (found: Found) => QueueEntry | null) => {
      const partner = this.#waiting.has(place.user) ? choose(this.#search(place, now)) : null
      if (!partner) return
      this.#takeOut(place.user)
      this.#pair(place, partner, pairs)
    }
    for (const place of spilled) match(place, ({ fresh }) => fresh)
    for (const place of [...spilled, ...relaxed]) match(place, ({ fresh, met }) => fresh ?? met)
    return pairs
  }

  #isRelaxed(place: QueueEntry, now: number): boolean {
    return now - place.since >= this.#options.relaxAfterMs
  }

  #spills(place: QueueEntry, now: number): boolean {
    return place.spills || now - place.since >= this.#options.spillAfterMs
  }

  /** Notes that the user joins the region; true where nobody else has done so for the time of a spill. */
  #isFirstIn(region: string, user: string, now: number): boolean {
    const latest = this.#latest.get(region)
    const before = (latest?.user === user ? latest.before : latest?.at) ?? null
    this.#latest.set(region, { user, at: now, before })
    return before === null || now - before >= this.#options.spillAfterMs
  }

  #takeOut(user: string): QueueEntry | null {
    const place = this.find(user)
    if (!place) return null
    for (const seat of this.#waiting.get(user)?.nodes ?? []) seat.list?.remove(seat)
    if (this.#byRegion.get(place.region)?.size === 0) this.#byRegion.delete(place.region)
    this.#waiting.delete(user)
    this.#absent.delete(user)
    return place
  }

  #enter(place: QueueEntry, now: number, pairs: Pair[]): Pair[] {
    const { fresh, met } = this.#search(place, now)
    const partner = fresh ?? met
    if (partner) return this.#pair(place, partner, pairs)
    const line = this.#byRegion.get(place.region) ?? new WaitingList()
    this.#byRegion.set(place.region, line)
    const seats = [line.add(place)]
    if (!this.#isRelaxed(place, now)) seats.push(this.#recent.add(place))
    if (place.spills) seats.push(this.#early.add(place))
    else if (!this.#spills(place, now)) seats.push(this.#local.add(place))
    this.#waiting.set(place.user, { entry: place, nodes: seats })
    return pairs
  }

  #pair(place: QueueEntry, partner: QueueEntry, pairs: Pair[]): Pair[] {
    this.#takeOut(partner.user)
    pairs.push(this.#options.random() < 0.5 ? { caller: place, callee: partner } : { caller: partner, callee: place })
    return pairs
  }

  /** The best of the eligible, new and met. */
  #search(place: QueueEntry, now: number): Found {
    const own = this.#lookIn(this.#byRegion.get(place.region), place)
    if (own.fresh) return own
    const spills = this.#spills(place, now)
    const lines = [...this.#byRegion].filter(([region]) => region !== place.region).map(([, line]) => line)
    if (lines.length > 0 && !spills) lines.push(this.#early)
    const there = lines.map((line) => this.#lookIn(line, place))
    const inReach = (other: QueueEntry | null) => (other && (spills || this.#spills(other, now)) ? other : null)
    const relaxed = this.#isRelaxed(place, now)
    const again = (other: QueueEntry | null) => (other && (relaxed || this.#isRelaxed(other, now)) ? other : null)
    return {
      fresh: earliest(there.map(({ fresh }) => inReach(fresh))),
      met: again(own.met) ?? earliest(there.map(({ met }) => again(inReach(met)))),
    }
  }

  /** The first who is new, and the first before that who is not. Who comes after the first is in reach only if that one is. */
  #lookIn(line: WaitingList | undefined, place: QueueEntry): Found {
    let met: QueueEntry | null = null
    for (const other of line ?? []) {
      if (other.user === place.user || place.blocked.has(other.user) || other.blocked.has(place.user)) continue
      if (!place.met.has(other.user) && !other.met.has(place.user)) return { fresh: other, met }
      met ??= other
    }
    return { fresh: null, met }
  }
}
