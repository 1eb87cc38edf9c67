import type { Log } from '../domain/ports.ts'
import { type ConsoleStore, createConsoleStore } from '../stores/console.ts'
import { createConsoleApi } from '../transport/console.ts'
import type { Workers } from '../transport/workers.ts'

/** Creates the console's store. Loaded with the console's pages, apart from everything for users. */
export function createConsole(workers: Workers, log: Log): ConsoleStore {
  return createConsoleStore({ api: createConsoleApi(workers), log })
}
