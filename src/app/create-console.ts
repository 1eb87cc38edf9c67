import type { ConsoleWorker } from '#workers/console/contract.ts'
import type { ConsoleApi } from '../console/ports.ts'
import { type ConsoleStore, createConsoleStore } from '../console/state/console.ts'
import { saveFile } from '../platform/io/save-file.ts'
import { superviseWorker } from '../platform/io/workers.ts'
import type { Log } from '../platform/log.ts'

/** Creates the console's store. Loaded with the console's pages, apart from everything for users. */
export function createConsole(log: Log): ConsoleStore {
  return createConsoleStore({ api: createConsoleApi(), log, saveFile })
}

/** Sends the console's requests in a worker that runs until the page is closed. */
function createConsoleApi(): ConsoleApi {
  const worker = superviseWorker<ConsoleWorker>(
    () =>
      new Worker(new URL('../../workers/console/console.worker.ts', import.meta.url), {
        type: 'module',
        name: 'console',
      }),
  )
  return { request: (name, input) => worker.remote().request(name, input) }
}
