import { AppError } from '#protocol/errors.ts'

type Waiting = { urgent: boolean; begin: () => void }

/**
 * Carries out one piece of work at a time, so that costly work fills neither the processor nor the thread pool. Urgent work goes
 * before all other work that waits.
 */
export class WorkQueue {
  readonly #waiting: Waiting[] = []
  #busy = false

  async run<T>(urgent: boolean, work: () => Promise<T>): Promise<T> {
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

/** Limits the work of this process that waits or runs at the same time: by key and over all keys. */
export class ConcurrencyLimits {
  readonly #perKey: number
  readonly #overAll: number
  readonly #running = new Map<string, number>()
  #total = 0

  constructor(limits: { perKey: number; overAll: number }) {
    this.#perKey = limits.perKey
    this.#overAll = limits.overAll
  }

  /** Runs the work, or rejects with `too-many-requests` where a limit is reached. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) ?? 0
    if (running >= this.#perKey || this.#total >= this.#overAll)
      throw new AppError('too-many-requests', 'Too many logins are being checked: try again in a few seconds')
    this.#running.set(key, running + 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      this.#total -= 1
      const left = (this.#running.get(key) ?? 1) - 1
      if (left > 0) this.#running.set(key, left)
      else this.#running.delete(key)
    }
  }
}
