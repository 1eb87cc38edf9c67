type LatestJoin = { user: string; at: number; before: number | null }

/** Remembers by key (a region, a language ...) who joined last, for `withinMs` milliseconds. */
export class RecentJoins {
  readonly #withinMs: number
  /** The last user who joined with each key, and when another user had joined with it before; the oldest join first. */
  readonly #latest = new Map<string, LatestJoin>()

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  /** Records that the user joins with these keys. True when no other user has joined with one of them for `withinMs`. */
  isAlone(user: string, keys: readonly string[], now: number): boolean {
    this.#forget(now)
    const others = keys.map((key) => this.#record(user, key, now))
    return others.every((before) => before === null || now - before >= this.#withinMs)
  }

  /** Returns when another user joined with this key last. */
  #record(user: string, key: string, now: number): number | null {
    const latest = this.#latest.get(key)
    const before = (latest?.user === user ? latest.before : latest?.at) ?? null
    this.#latest.delete(key)
    this.#latest.set(key, { user, at: now, before })
    return before
  }

  #forget(now: number): void {
    for (const [key, { at }] of this.#latest) {
      if (now - at < this.#withinMs) return
      this.#latest.delete(key)
    }
  }
}

/** Counts joins of the last `windowMs` milliseconds: exactly for this window, in proportion for the one before. */
export class JoinRate {
  readonly #windowMs: number
  #window = 0
  #count = 0
  #countBefore = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Returns the joins of the last `windowMs`, and adds one. */
  add(now: number): number {
    const window = Math.floor(now / this.#windowMs)
    if (window !== this.#window) {
      this.#countBefore = window === this.#window + 1 ? this.#count : 0
      this.#count = 0
      this.#window = window
    }
    const joins = this.#count + this.#countBefore * (1 - (now % this.#windowMs) / this.#windowMs)
    this.#count += 1
    return joins
  }
}
