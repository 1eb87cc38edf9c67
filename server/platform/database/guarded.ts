import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from './unavailable.ts'

const ATTEMPTS = 6
const FIRST_PAUSE_MS = 10

/** A serialisation failure or a deadlock: PostgreSQL undid the transaction, and says that another attempt may do. */
const conflicts = new Set<unknown>(['40001', '40P01'])

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && conflicts.has(error.code)
}

/** Carries out again what lost against a transaction of somebody else, and nothing else; at most `ATTEMPTS` times in all. */
export async function retryConflicts<T>(work: () => Promise<T>, random: () => number = Math.random): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt + 1 === ATTEMPTS) throw unavailable(error)
      // Of two that met, one must wait longer.
      await pause(random() * FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
}

type Method = (...args: unknown[]) => Promise<unknown>

/** A repository each of whose methods is a single statement, a single transaction, or does no harm twice. */
function guarded<R extends object>(repository: R): R {
  const methods = Object.entries(repository) as [string, Method][]
  const wrapped = methods.map(([name, method]) => [name, (...args: unknown[]) => retryConflicts(() => method(...args))])
  return Object.fromEntries(wrapped) as R
}

/** The same repositories, in which conflicts with other servers mend themselves. */
export function guardAll<S extends Record<string, object>>(repositories: S): S {
  const wrapped = Object.entries(repositories).map(([name, repository]) => [name, guarded(repository)])
  return Object.fromEntries(wrapped) as S
}
