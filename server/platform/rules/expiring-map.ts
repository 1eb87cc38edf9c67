/** A map that forgets: what was not set again for `keepMs`, and beyond `limit` entries whatever was set longest ago. */
export class ExpiringMap<K, V> {
  readonly #entries = new Map<K, { value: V; at: number }>()
  readonly #keepMs: number
  readonly #limit: number

  constructor(keepMs: number, limit: number) {
    this.#keepMs = keepMs
    this.#limit = limit
  }

  get(key: K, now: number): V | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.at > now - this.#keepMs ? entry.value : undefined
  }

  set(key: K, value: V, now: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, at: now })
    for (const [oldest, { at }] of this.#entries) {
      if (at > now - this.#keepMs && this.#entries.size <= this.#limit) return
      this.#entries.delete(oldest)
    }
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }
}
