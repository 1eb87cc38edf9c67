import { MINUTE_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { type Clock, pause } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { ConcurrencyLimits, WorkQueue } from '../../platform/rules/work-queue.ts'

/** Tries for one name from one network, or from one device that the moderator has used before. */
const TRIES = { max: 5, windowMs: 5 * MINUTE_MS }
/** Tries for one name from all unknown devices together: the first are free, each further one waits a little longer. */
const STRANGERS = { free: 10, stepMs: 100, longestMs: 10_000, windowMs: 15 * MINUTE_MS }
/** Unknown devices whose tries wait or are checked at once, in this process. */
const AT_ONCE = { perKey: 4, overAll: 8 }

/** Where a try comes from: the network as limits count it, and the id of the moderator's own device, null for an unknown one. */
export type TryFrom = { name: string; network: string; deviceId: string | null }

/** How long the try waits that is the `count`th of strangers. */
export function strangersWaitMs(count: number): number {
  return Math.min(Math.max(0, count - STRANGERS.free) * STRANGERS.stepMs, STRANGERS.longestMs)
}

/**
 * Limits of tries at the moderators' login, whether or not there is such a name. Strangers slow each other down and never lock a
 * name; a device that is known has a budget of its own and goes first.
 */
export function createLoginTries({ counts, clock }: { counts: Counts; clock: Clock }) {
  const strangers = new ConcurrencyLimits(AT_ONCE)
  const queue = new WorkQueue()

  const keyOf = ({ name, network, deviceId }: TryFrom) =>
    deviceId === null ? `tries for ${name} from network ${network}` : `tries for ${name} from device ${deviceId}`

  async function count(from: TryFrom): Promise<void> {
    const tries = await counts.add(keyOf(from), TRIES.windowMs)
    if (tries.count > TRIES.max) throw new AppError('too-many-requests', 'Try again in a few minutes')
  }

  async function wait(name: string): Promise<void> {
    const { count } = await counts.add(`strangers at ${name}`, STRANGERS.windowMs)
    const ms = strangersWaitMs(count)
    if (ms > 0) await pause(clock, ms)
  }

  return {
    /** Does the costly `work` when it is this try's turn. Rejects with `too-many-requests` where there were too many. */
    async admit<T>(from: TryFrom, work: () => Promise<T>): Promise<T> {
      await count(from)
      if (from.deviceId !== null) return queue.run(true, work)
      return strangers.run(from.name, async () => {
        await wait(from.name)
        return queue.run(false, work)
      })
    },
    /** Forgets the tries after a successful login. */
    forget: (from: TryFrom): Promise<void> => counts.forget(keyOf(from)),
  }
}
