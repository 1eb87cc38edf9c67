/** Makes a fake slow: while it is held, whoever comes through waits until it is released. */
export class Gate {
  #held: PromiseWithResolvers<void> | null = null
  #waiting = 0
  #listeners = new Set<() => void>()

  async pass(): Promise<void> {
    if (!this.#held) return
    this.#waiting += 1
    for (const listener of this.#listeners) listener()
    await this.#held.promise
  }

  hold(): void {
    this.#held = Promise.withResolvers()
  }

  release(): void {
    this.#held?.resolve()
    this.#held = null
  }

  /** Resolves when so many wait. */
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#waiting >= count) resolve()
      }
      this.#listeners.add(look)
      look()
    })
  }
}
