type LatestJoin = { user: string; at: number; before: number | null }

/** Remembers by key (a region, a language ...) who joined last, for `withinMs` milliseconds or up to twice as long. */
export class RecentJoins {
  readonly #withinMs: number
  /** By key: the last user who joined with it, and when a different user joined with it before. */
  #latest = new Map<string, LatestJoin>()
  /** The same for keys with which nobody has joined since `#since`. */
  #older = new Map<string, LatestJoin>()
  #since = 0

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  /** Records that the user joins with these keys. True when no other user has joined with one of them for `withinMs`. */
  isAlone(user: string, keys: readonly string[], now: number): boolean {
    if (now - this.#since >= this.#withinMs) {
      this.#older = now - this.#since < 2 * this.#withinMs ? this.#latest : new Map()
      this.#latest = new Map()
      this.#since = now
    }
    let isAlone = true
    for (const key of keys) {
      const latest = this.#latest.get(key) ?? this.#older.get(key)
      const before = (latest?.user === user ? latest.before : latest?.at) ?? null
      this.#latest.set(key, { user, at: now, before })
      if (before !== null && now - before < this.#withinMs) isAlone = false
    }
    return isAlone
  }
}

/** Counts joins of the last `windowMs`: those of the current window in full, those of the window before in proportion. */
export class JoinRate {
  readonly #windowMs: number
  #window = 0
  #count = 0
  #countBefore = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Returns the joins of the last `windowMs`, then counts another join. */
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
