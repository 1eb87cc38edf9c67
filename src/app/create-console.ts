import type { Log } from '../domain/ports.ts'
import { createModerationStore, type ModerationStore } from '../stores/console.ts'
import { createConsoleApi } from '../transport/console.ts'
import type { Workers } from '../transport/workers.ts'

/** The moderators' console, which loads with its pages and with nothing of a user's. */
export function createModeration(workers: Workers, log: Log): ModerationStore {
  return createModerationStore({ api: createConsoleApi(workers), log })
}
