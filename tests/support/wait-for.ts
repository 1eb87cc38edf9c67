import { vi } from 'vitest'
import { WAIT_MS } from '../../scripts/test-limits.ts'

/** Resolves with what `check` returns once it no longer throws. `vi.waitFor` alone gives up after one second. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: WAIT_MS, interval: 10 })
