import { type Place, WaitingLine } from './waiting-line.ts'

/** Whom somebody may never meet, and whom they have met before. */
export type Exclusions = { blocked: Iterable<string>; met: Iterable<string> }

export type Pair = { caller: Place; callee: Place }

type Absent = { place: Place; until: number }

/**
 * Who waits for a partner. Pure: time comes in as an argument and must not run backwards, randomness is injected.
 *
 * One place a user; nobody is paired with themself or, in either direction, with somebody blocked. People who have met
 * are paired only when one of the two has waited `relaxAfterMs` and nobody new is there. The longest waiting comes first.
 *
 * After every call no two people who are present and eligible are left waiting. So all who wait exclude each other, and
 * a scan passes over none but people whom the newcomer excludes or who exclude the newcomer before it finds a partner or
 * ends: a join costs O(exclusions of the newcomer), however many eligible people wait. Leaving, dropping out and taking
 * the next due time cost O(1).
 */
export class MatchQueue {
  readonly #random: () => number
  readonly #relaxAfterMs: number
  readonly #keepMs: number
  /** Those who have waited `relaxAfterMs`; all of them have waited longer than those in `#recent`. */
  readonly #relaxed = new WaitingLine()
  readonly #recent = new WaitingLine()
  /** Those who dropped out and may come back, in the order in which their places expire. */
  readonly #absent = new Map<string, Absent>()

  constructor(options: { random: () => number; relaxAfterMs: number; keepMs: number }) {
    this.#random = options.random
    this.#relaxAfterMs = options.relaxAfterMs
    this.#keepMs = options.keepMs
  }

  /** Takes a place, or renews the exclusions of the one that is there, with its waiting time. Answers the pairs made. */
  join(user: string, exclusions: Exclusions, now: number): Pair[] {
    this.#expire(now)
    const held = this.#takeOut(user)
    const pairs = this.#relax(now)
    const place: Place = {
      user,
      since: held?.since ?? now,
      lot: held?.lot ?? this.#random(),
      blocked: new Set(exclusions.blocked),
      met: new Set(exclusions.met),
    }
    return this.#enter(place, now, pairs)
  }

  /** Puts somebody back whose match came to nothing, with the waiting time they had. */
  restore(place: Place, now: number): Pair[] {
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
  hold(place: Place, now: number): void {
    this.#takeOut(place.user)
    this.#absent.set(place.user, { place, until: now + this.#keepMs })
  }

  /** Somebody absent is back. Does nothing for anybody else. */
  resume(user: string, now: number): Pair[] {
    const pairs = this.tick(now)
    const absent = this.#absent.get(user)
    if (!absent) return pairs
    this.#absent.delete(user)
    return this.#enter(absent.place, now, pairs)
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
    return this.#relax(now)
  }

  /** When `tick` is next needed to keep the promise that nobody is stranded; null while it is not. */
  nextTick(): number | null {
    const first = this.#recent.first()
    return first ? first.since + this.#relaxAfterMs : null
  }

  /** The place of somebody who waits or is absent. */
  find(user: string): Place | null {
    return this.#relaxed.find(user) ?? this.#recent.find(user) ?? this.#absent.get(user)?.place ?? null
  }

  /** How many wait, and how many are away with a place that is kept. */
  counts(): { waiting: number; away: number } {
    return { waiting: this.#relaxed.size + this.#recent.size, away: this.#absent.size }
  }

  #expire(now: number): void {
    for (const [user, { until }] of this.#absent) {
      if (until > now) return
      this.#absent.delete(user)
    }
  }

  #relax(now: number): Pair[] {
    const pairs: Pair[] = []
    for (let place = this.#recent.first(); place && this.#isRelaxed(place, now); place = this.#recent.first()) {
      this.#recent.remove(place.user)
      this.#enter(place, now, pairs)
    }
    return pairs
  }

  #isRelaxed(place: Place, now: number): boolean {
    return now - place.since >= this.#relaxAfterMs
  }

  #takeOut(user: string): Place | null {
    const absent = this.#absent.get(user)
    this.#absent.delete(user)
    return absent?.place ?? this.#relaxed.remove(user) ?? this.#recent.remove(user)
  }

  #enter(place: Place, now: number, pairs: Pair[]): Pair[] {
    const relaxed = this.#isRelaxed(place, now)
    const partner = this.#partnerFor(place, relaxed)
    if (!partner) {
      const line = relaxed ? this.#relaxed : this.#recent
      line.add(place)
      return pairs
    }
    this.#takeOut(partner.user)
    pairs.push(this.#random() < 0.5 ? { caller: place, callee: partner } : { caller: partner, callee: place })
    return pairs
  }

  #partnerFor(place: Place, relaxed: boolean): Place | null {
    let lastChoice: Place | null = null
    for (const line of [this.#relaxed, this.#recent]) {
      for (const other of line) {
        if (place.blocked.has(other.user) || other.blocked.has(place.user)) continue
        if (!place.met.has(other.user) && !other.met.has(place.user)) return other
        if (relaxed || line === this.#relaxed) lastChoice ??= other
      }
    }
    return lastChoice
  }
}
