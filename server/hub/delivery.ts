/**
 * One event on its way to a user, over as many connections as it takes. It is delivered when a connection has
 * acknowledged it (version 2) or its socket took it (version 1), and given up when nobody comes for it in time.
 */
export class Delivery {
  readonly text: string
  /** The session whose end gives it up; null for an event that outlives its session. */
  readonly matchId: string | null
  readonly since: number
  #outcome: 'under way' | 'delivered' | 'given up' = 'under way'
  #listener: ((delivered: boolean) => void) | null = null

  constructor(text: string, session: string | null, since: number) {
    this.text = text
    this.matchId = session
    this.since = since
  }

  get isUnderWay(): boolean {
    return this.#outcome === 'under way'
  }

  get isGivenUp(): boolean {
    return this.#outcome === 'given up'
  }

  /** Tells the listener how it ended, at once if it has; whoever asked first hears it first. */
  whenSettled(listener: (delivered: boolean) => void): void {
    const earlier = this.#listener
    if (this.#outcome === 'under way')
      this.#listener = earlier
        ? (delivered) => {
            earlier(delivered)
            listener(delivered)
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
