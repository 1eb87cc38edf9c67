/** Lets a test wait for a state of a client or a fake. */
export class StateChanges {
  readonly #checks = new Set<() => void>()

  /** Must be called after every change. */
  notify(): void {
    for (const check of [...this.#checks]) check()
  }

  /** Resolves when `holds` returns true, at once or after a change. Rejects when it throws. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          if (!holds()) return
          resolve()
        } catch (error) {
          reject(error)
        }
        this.#checks.delete(check)
      }
      this.#checks.add(check)
      check()
    })
  }
}
