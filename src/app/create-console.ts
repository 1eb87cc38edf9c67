import type { Log } from '../domain/ports.ts'
import { type ConsoleStore, createConsoleStore } from '../stores/console.ts'
import { createConsoleApi } from '../transport/console.ts'
import type { Workers } from '../transport/workers.ts'

/** The moderators' console, which loads with its pages and with nothing of a user's. */
export function createConsole(workers: Workers, log: Log): ConsoleStore {
  return createConsoleStore({ api: createConsoleApi(workers), log })
}
