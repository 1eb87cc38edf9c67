import type { Log } from '../domain/ports.ts'
import { type ConsoleStore, createConsoleStore } from '../stores/console.ts'
import { createConsoleApi } from '../transport/console.ts'
import { saveFile } from '../transport/save-file.ts'

/** Creates the console's store. Loaded with the console's pages, apart from everything for users. */
export function createConsole(log: Log): ConsoleStore {
  return createConsoleStore({ api: createConsoleApi(), log, saveFile })
}
