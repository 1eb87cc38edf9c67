/** A map whose entries expire `keepMs` after they were set. Above `limit` entries, the entry that was set first is dropped. */
export class ExpiringMap<K, V> {
  /** The entries in the order in which they were set. */
  readonly #entries = new Map<K, { value: V; until: number }>()
  readonly #keepMs: number
  readonly #limit: number

  constructor(keepMs: number, limit: number = Number.POSITIVE_INFINITY) {
    this.#keepMs = keepMs
    this.#limit = limit
  }

  size(now: number): number {
    this.#drop(now)
    return this.#entries.size
  }

  get(key: K, now: number): V | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.until > now ? entry.value : undefined
  }

  /** Returns the values in the order in which they were set. */
  values(now: number): V[] {
    this.#drop(now)
    return [...this.#entries.values()].map(({ value }) => value)
  }

  /**
   * `keepMs` replaces the map's `keepMs` for this entry. An entry with a shorter lifetime than earlier entries is
   * removed only after these are removed.
   */
  set(key: K, value: V, now: number, keepMs: number = this.#keepMs): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until: now + keepMs })
    this.#drop(now)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #drop(now: number): void {
    for (const [key, { until }] of this.#entries) {
      if (until > now && this.#entries.size <= this.#limit) return
      this.#entries.delete(key)
    }
  }
}
