import { createConsoleApi } from '../console/io/console.ts'
import { type ConsoleStore, createConsoleStore } from '../console/state/console.ts'
import { saveFile } from '../platform/io/save-file.ts'
import type { Log } from '../platform/log.ts'

/** Creates the console's store. Loaded with the console's pages, apart from everything for users. */
export function createConsole(log: Log): ConsoleStore {
  return createConsoleStore({ api: createConsoleApi(), log, saveFile })
}
