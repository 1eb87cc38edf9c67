import type { ConsoleWorker } from '#workers/console/contract.ts'
import { superviseWorker } from '../../platform/io/workers.ts'
import type { ConsoleApi } from '../ports.ts'

/** Sends the console's requests in a worker that runs until the page is closed. */
export function createConsoleApi(): ConsoleApi {
  const worker = superviseWorker<ConsoleWorker>(
    () =>
      new Worker(new URL('../../../workers/console/console.worker.ts', import.meta.url), {
        type: 'module',
        name: 'console',
      }),
  )
  return { request: (name, input) => worker.remote().request(name, input) }
}
