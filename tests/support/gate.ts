import { StateChanges } from './state-changes.ts'

/** Makes a fake slow: while the gate is held, each `pass` waits until `release`. */
export class Gate {
  #held: PromiseWithResolvers<void> | null = null
  #waiting = 0
  readonly #changes = new StateChanges()

  async pass(): Promise<void> {
    if (!this.#held) return
    this.#waiting += 1
    this.#changes.notify()
    await this.#held.promise
  }

  hold(): void {
    this.#held = Promise.withResolvers()
  }

  release(): void {
    this.#held?.resolve()
    this.#held = null
  }

  /** Resolves when `pass` has waited `count` times in all. */
  reached(count: number): Promise<void> {
    return this.#changes.until(() => this.#waiting >= count)
  }
}
