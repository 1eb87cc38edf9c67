/** Counts the tracked messages of a stateful client, so that a message that is sent again is handled once. */
export class IncomingSequence {
  #next = 1
  #latest = 0
  #handled = 0
  #isWaiting = false

  /** True after a new socket until the client's Sequence message: messages before it have no known id. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** The id that an Ack message carries: that of the last handled message, not the last read one. */
  get handled(): number {
    return this.#handled
  }

  /** Every message that was read is handled. */
  get isHandled(): boolean {
    return this.#handled === this.#latest
  }

  awaitSequence(): void {
    this.#isWaiting = true
  }

  /** The next message has this id. Returns false for an id that the client cannot have reached. */
  resumeAt(id: number): boolean {
    if (!Number.isInteger(id) || id < 1 || id > this.#latest + 1) return false
    this.#isWaiting = false
    this.#next = id
    return true
  }

  /** Counts one message. Returns false when it was received before. */
  take(): boolean {
    const id = this.#next
    this.#next += 1
    if (id <= this.#latest) return false
    this.#latest = id
    return true
  }

  markHandled(): void {
    this.#handled += 1
  }
}
