import { AppError } from '#protocol/errors.ts'

type Waiting = { urgent: boolean; begin: () => void }

/**
 * Carries out one piece of work at a time, so that costly work fills neither the processor nor the thread pool. Urgent work goes
 * before everything that waits.
 */
export class Turns {
  readonly #waiting: Waiting[] = []
  #busy = false

  async take<T>(urgent: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#busy) await new Promise<void>((begin) => this.#queue({ urgent, begin }))
    this.#busy = true
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#busy = false
    }
  }

  #queue(entry: Waiting): void {
    const firstOther = entry.urgent ? this.#waiting.findIndex(({ urgent }) => !urgent) : -1
    this.#waiting.splice(firstOther === -1 ? this.#waiting.length : firstOther, 0, entry)
  }
}

/** Limits how many calls of `on` wait or run at once, by key and over all. It protects this process alone. */
export class Seats {
  readonly #perKey: number
  readonly #overAll: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(limits: { perKey: number; overAll: number }) {
    this.#perKey = limits.perKey
    this.#overAll = limits.overAll
  }

  /** Does the work, or rejects with `too-many-requests` where the limit is reached. */
  async on<T>(key: string, work: () => Promise<T>): Promise<T> {
    const taken = this.#taken.get(key) ?? 0
    if (taken >= this.#perKey || this.#total >= this.#overAll)
      throw new AppError('too-many-requests', 'Too many logins are being checked: try again in a few seconds')
    this.#taken.set(key, taken + 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      this.#total -= 1
      const left = (this.#taken.get(key) ?? 1) - 1
      if (left > 0) this.#taken.set(key, left)
      else this.#taken.delete(key)
    }
  }
}
