/** The chat messages of a crowd. */
export class CrowdMessages {
  /** Ids of messages that the hub has confirmed as delivered. */
  readonly acknowledged = new Set<string>()
  /** How often each message was received, by id. */
  readonly received = new Map<string, number>()
  /** Milliseconds from the first attempt to send a message until its peer received it. */
  readonly delays: number[] = []
  readonly #sentAt = new Map<string, number>()

  sent(id: string): void {
    this.#sentAt.set(id, performance.now())
  }

  arrived(id: string): void {
    this.received.set(id, (this.received.get(id) ?? 0) + 1)
    const sentAt = this.#sentAt.get(id)
    if (sentAt !== undefined) this.delays.push(performance.now() - sentAt)
    this.#sentAt.delete(id)
  }

  lost(): string[] {
    return [...this.acknowledged].filter((id) => !this.received.has(id))
  }

  /** Counts messages received more than once; a browser drops them by their ids. */
  repeated(): number {
    return [...this.received.values()].filter((times) => times > 1).length
  }
}
