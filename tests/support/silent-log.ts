import type { Log } from '../../src/domain/ports.ts'

/** Keeps what was logged for the test to read. */
export function silentLog(): Log & { errors: string[] } {
  const errors: string[] = []
  return { errors, info: () => {}, error: (message) => void errors.push(message) }
}
