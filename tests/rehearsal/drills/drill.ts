import { setTimeout as pause } from 'node:timers/promises'
import type { Part } from '../part.ts'

/** One fault, by its real cause. */
export type Drill = {
  name: string
  /** The alerts that must fire. */
  alerts: readonly string[]
  cause: () => Promise<void>
  restore: () => Promise<void>
}

/** So that the sender of requests leaves the processors to the servers. */
const BETWEEN_MS = 20

export function kill(name: string, alerts: readonly string[], parts: readonly Part[]): Drill {
  return {
    ...{ name, alerts },
    cause: async () => {
      await Promise.all(parts.map((part) => part.kill()))
    },
    restore: async () => {
      await Promise.all(parts.map((part) => part.start()))
    },
  }
}

/** Does what `start` resolves with, again and again until it is restored. */
export function repeatedly(
  name: string,
  alerts: readonly string[],
  start: () => Promise<() => Promise<unknown>>,
  betweenMs = BETWEEN_MS,
): Drill {
  let goesOn = false
  let sending: Promise<void> = Promise.resolve()
  async function send(one: () => Promise<unknown>): Promise<void> {
    while (goesOn) {
      await one()
      await pause(betweenMs)
    }
  }
  return {
    ...{ name, alerts },
    cause: async () => {
      const one = await start()
      goesOn = true
      sending = send(one)
      // Where it fails, restore() says so.
      sending.catch(() => {})
    },
    restore: async () => {
      goesOn = false
      await sending
    },
  }
}

/** Several faults at once, which do not touch each other. Restores all of them, even if one cannot be restored. */
export function together(name: string, drills: readonly Drill[]): Drill {
  return {
    name,
    alerts: drills.flatMap(({ alerts }) => alerts),
    cause: async () => {
      await Promise.all(drills.map(({ cause }) => cause()))
    },
    restore: async () => {
      const results = await Promise.allSettled(drills.map(({ restore }) => restore()))
      const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}
