import { MINUTE_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { type Clock, pause } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { ConcurrencyLimits, WorkQueue } from '../../platform/rules/work-queue.ts'

/** Attempts for one name from one network, or from one device on which the moderator has logged in before. */
const ATTEMPTS = { max: 5, windowMs: 5 * MINUTE_MS }
/**
 * Attempts for one name from unknown devices. After `free` attempts, each waits `stepMs` longer than the one before, at most `longestMs`.
 */
const UNKNOWN_DEVICES = { free: 10, stepMs: 100, longestMs: 10_000, windowMs: 15 * MINUTE_MS }
/** Most attempts from unknown devices that this process delays or checks at the same time. */
const CONCURRENCY = { perKey: 4, overAll: 8 }

/** `network` is the address as rate limits count it. `deviceId` is the id of the moderator's own device, null for an unknown one. */
export type LoginAttempt = { name: string; network: string; deviceId: string | null }

/** Delay of the `count`th attempt from an unknown device within the window. */
export function unknownDeviceDelayMs(count: number): number {
  return Math.min(Math.max(0, count - UNKNOWN_DEVICES.free) * UNKNOWN_DEVICES.stepMs, UNKNOWN_DEVICES.longestMs)
}

/**
 * Rate limits of the moderators' login. They also apply to names that do not exist. Attempts from unknown devices never lock an account.
 */
export function createLoginLimits({ counts, clock }: { counts: Counts; clock: Clock }) {
  const unknownDevices = new ConcurrencyLimits(CONCURRENCY)
  const queue = new WorkQueue()

  // Servers of other versions count under the same keys.
  const keyOf = ({ name, network, deviceId }: LoginAttempt) =>
    deviceId === null ? `tries for ${name} from network ${network}` : `tries for ${name} from device ${deviceId}`

  async function count(attempt: LoginAttempt): Promise<void> {
    const attempts = await counts.add(keyOf(attempt), ATTEMPTS.windowMs)
    if (attempts.count > ATTEMPTS.max) throw new AppError('too-many-requests', 'Try again in a few minutes')
  }

  async function delay(name: string): Promise<void> {
    const attempts = await counts.add(`strangers at ${name}`, UNKNOWN_DEVICES.windowMs)
    const ms = unknownDeviceDelayMs(attempts.count)
    if (ms > 0) await pause(clock, ms)
  }

  return {
    /** Runs the costly `work`, one attempt at a time. Rejects with `too-many-requests` when a limit is reached. */
    async admit<T>(attempt: LoginAttempt, work: () => Promise<T>): Promise<T> {
      await count(attempt)
      if (attempt.deviceId !== null) return queue.run(true, work)
      return unknownDevices.run(attempt.name, async () => {
        await delay(attempt.name)
        return queue.run(false, work)
      })
    },
    /** Resets the count of attempts after a successful login. */
    reset: (attempt: LoginAttempt): Promise<void> => counts.forget(keyOf(attempt)),
  }
}
