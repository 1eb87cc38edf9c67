import { AppError } from '#protocol/errors.ts'
import type { LogContext, LogLevel, NetworkWorker } from '#workers/network/contract.ts'
import type { Api, Log } from '../domain/ports.ts'
import type { Workers } from './workers.ts'

export function createApi(workers: Pick<Workers, 'network'>): Api {
  return { call: (name, input) => workers.network().call(name, input) }
}

/** Fetches a provider's picture of the user; the bytes come back as a blob. */
export function createPictureFetch(workers: Pick<Workers, 'network'>): (url: string) => Promise<Blob> {
  return (url) => workers.network().fetchPicture(url)
}

/** Fire and forget: writing a log line never fails and is never awaited. */
export interface WorkerLog extends Log {
  trace(message: string): void
  /** What every entry carries from now on. */
  identify(context: LogContext): void
  /** Sends what is queued, when the page is about to go. */
  flush(): void
}

export function createLog(workers: Pick<Workers, 'network'>): WorkerLog {
  let context: LogContext | null = null
  let told: NetworkWorker | null = null

  function worker(): NetworkWorker {
    const network = workers.network()
    if (context && told !== network) {
      told = network
      forget(network.identify(context))
    }
    return network
  }
  const write = (level: LogLevel, message: string) => forget(worker().log(level, message))

  return {
    trace: (message) => write('Trace', message),
    info: (message) => write('Info', message),
    error: (message, cause) =>
      cause === undefined ? write('Error', message) : write('Exception', `${message}: ${causeText(cause)}`),
    identify(next) {
      context = next
      told = null
      worker()
    },
    flush: () => forget(worker().flushLogs()),
  }
}

function causeText(cause: unknown): string {
  if (cause instanceof AppError) return `${cause.code} (${cause.message})`
  return cause instanceof Error ? `${cause.name} (${cause.message})` : String(cause)
}

function forget(call: Promise<void>): void {
  call.catch(() => {})
}
