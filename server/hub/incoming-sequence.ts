/** Counts the tracked messages of a stateful client, so that each is handled once however often it is sent. */
export class IncomingSequence {
  #next = 1
  #latest = 0
  #handled = 0
  #waiting = false

  /** True between a new socket and the Sequence that says where its client goes on. */
  get isWaiting(): boolean {
    return this.#waiting
  }

  /** What an Ack message carries: the last message that has been handled, not merely read. */
  get handled(): number {
    return this.#handled
  }

  awaitSequence(): void {
    this.#waiting = true
  }

  /** False for a place that the client cannot be at. */
  goOnAt(id: number): boolean {
    if (!Number.isInteger(id) || id < 1 || id > this.#latest + 1) return false
    this.#waiting = false
    this.#next = id
    return true
  }

  /** False for a message that came before. */
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
