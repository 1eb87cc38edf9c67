/**
 * An event for a user, over any connection of the user. It is delivered when the client has acknowledged it (version 2)
 * or when it is written (version 1); otherwise it is given up.
 */
export class Delivery {
  readonly text: string
  /** The delivery is given up when this match ends; null for an event that outlives its match. */
  readonly matchId: string | null
  /** The time of creation, in milliseconds since 1970. */
  readonly since: number
  #outcome: 'under way' | 'delivered' | 'given up' = 'under way'
  #listener: ((isDelivered: boolean) => void) | null = null

  constructor(text: string, matchId: string | null, since: number) {
    this.text = text
    this.matchId = matchId
    this.since = since
  }

  get isUnderWay(): boolean {
    return this.#outcome === 'under way'
  }

  get isGivenUp(): boolean {
    return this.#outcome === 'given up'
  }

  /** Calls the listener with the outcome: at once if it is known. Listeners are called in the order in which they were added. */
  whenSettled(listener: (isDelivered: boolean) => void): void {
    const earlier = this.#listener
    if (this.#outcome === 'under way')
      this.#listener = earlier
        ? (isDelivered) => {
            earlier(isDelivered)
            listener(isDelivered)
          }
        : listener
    else listener(this.#outcome === 'delivered')
  }

  succeed(): void {
    this.#settle('delivered')
  }

  giveUp(): void {
    this.#settle('given up')
  }

  #settle(outcome: 'delivered' | 'given up'): void {
    if (this.#outcome !== 'under way') return
    this.#outcome = outcome
    const listener = this.#listener
    this.#listener = null
    listener?.(outcome === 'delivered')
  }
}
