/**
 * Collects what connections write during one read of a socket, so that each connection sends one frame. Collecting during a whole turn of
 * the event loop would save a little more, but clients would wait longer.
 */
export class WriteBatch {
  #waiting: { flush(): void }[] = []

  /** Calls `flush` once, in a microtask. Must not be called again before that. */
  add(writer: { flush(): void }): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
    this.#waiting.push(writer)
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const writer of waiting) writer.flush()
  }
}
