import type { Log } from '../../src/platform/log.ts'

/** A log that stores error messages for the test and drops the rest. */
export function silentLog(): Log & { errors: string[] } {
  const errors: string[] = []
  return { errors, info: () => {}, error: (message) => void errors.push(message) }
}
