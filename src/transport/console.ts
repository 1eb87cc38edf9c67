import type { ConsoleWorker } from '#workers/console/contract.ts'
import { connect, type WorkerConnection } from '#workers/rpc.ts'
import type { ConsoleApi } from '../domain/ports.ts'

/** Sends the requests in a worker, which starts with the first one, and again with the first after it died. */
export function createConsoleApi(): ConsoleApi {
  let connection: WorkerConnection<ConsoleWorker> | null = null

  function open(): WorkerConnection<ConsoleWorker> {
    const worker = new Worker(new URL('../../workers/console/console.worker.ts', import.meta.url), {
      type: 'module',
      name: 'console',
    })
    return connect<ConsoleWorker>(worker, {
      onDeath() {
        worker.terminate()
        connection = null
      },
    })
  }

  return {
    request(name, input) {
      connection ??= open()
      return connection.remote.request(name, input)
    },
  }
}
