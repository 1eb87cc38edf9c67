import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from './store-error.ts'

const ATTEMPTS = 6
const FIRST_PAUSE_MS = 10

/** The codes of a serialisation failure and of a deadlock: PostgreSQL rolled the transaction back, and a retry may succeed. */
const conflicts = new Set<unknown>(['40001', '40P01'])

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && conflicts.has(error.code)
}

/** Retries work that fails by a conflict with another transaction, not by another fault; makes at most `ATTEMPTS` attempts. */
export async function retryConflicts<T>(work: () => Promise<T>, random: () => number = Math.random): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt + 1 === ATTEMPTS) throw unavailable(error)
      // The pause is random, so that two transactions in conflict do not retry at the same time.
      await pause(random() * FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
}

type Method = (...args: unknown[]) => Promise<unknown>

/** Returns the repository with retries. Each method must be one statement or transaction, or harmless if it runs twice. */
function guarded<R extends object>(repository: R): R {
  const methods = Object.entries(repository) as [string, Method][]
  const wrapped = methods.map(([name, method]) => [name, (...args: unknown[]) => retryConflicts(() => method(...args))])
  return Object.fromEntries(wrapped) as R
}

/** Returns the same repositories, whose methods are retried after conflicts with other servers. */
export function guardAll<S extends Record<string, object>>(repositories: S): S {
  const wrapped = Object.entries(repositories).map(([name, repository]) => [name, guarded(repository)])
  return Object.fromEntries(wrapped) as S
}
