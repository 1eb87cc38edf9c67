/**
 * Makes a single frame of what a connection writes during one read of a socket. To wait for the end of the event loop's
 * turn would delay clients.
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
