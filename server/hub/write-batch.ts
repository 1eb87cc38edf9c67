/**
 * Lets everything that one read of a socket brings about leave together, a frame a connection. To wait for the other
 * sockets of the turn would be a little cheaper, but would keep client and server from working at the same time.
 */
export class WriteBatch {
  #waiting: { flush(): void }[] = []

  /** `flush` is called once, when what runs now is done. */
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
