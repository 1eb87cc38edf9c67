/** Lets everything that is written in one turn of the event loop leave together, a frame a connection. */
export class WriteBatch {
  #waiting: { flush(): void }[] = []

  /** `flush` is called once at the end of this turn. */
  add(writer: { flush(): void }): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    this.#waiting.push(writer)
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const writer of waiting) writer.flush()
  }
}
