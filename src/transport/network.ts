import { AppError } from '#protocol/errors.ts'
import type { LogLevel } from '#protocol/fields.ts'
import type { LogContext, LogSwitches, NetworkWorker } from '#workers/network/contract.ts'
import type { Api, Log } from '../domain/ports.ts'
import type { Workers } from './workers.ts'

export function createApi(workers: Pick<Workers, 'network'>): Api {
  return {
    call: (name, input, signal) =>
      signal instanceof AbortSignal ? workers.network().call(name, input, signal) : workers.network().call(name, input),
  }
}

/** Fetches a provider's picture of the user; the bytes come back as a blob. */
export function createPictureFetch(workers: Pick<Workers, 'network'>): (url: string) => Promise<Blob> {
  return (url) => workers.network().fetchPicture(url)
}

/** Collects in the worker what the server keeps about this person: the file is large, and its JSON no work for this thread. */
export function createDataExport(workers: Pick<Workers, 'network'>): () => Promise<Blob> {
  return () => workers.network().exportData()
}

/** Fire and forget: writing a log line never fails and is never awaited. */
export interface WorkerLog extends Log {
  trace(message: string): void
  /** These levels are written from now on; with none of them nothing is left of what was written. */
  switchTo(levels: LogSwitches): void
  /** What every entry carries from now on. */
  identify(context: LogContext): void
  /** Sends what is queued, when the page is about to go. */
  flush(): void
}

/** Lines of a level that is off cost nothing: they do not even reach the worker. */
export function createLog(workers: Pick<Workers, 'network'>, levels: LogSwitches): WorkerLog {
  let switches = levels
  let context: LogContext | null = null
  let told: NetworkWorker | null = null

  function worker(): NetworkWorker {
    const network = workers.network()
    if (told !== network) {
      told = network
      forget(network.switchLogs(switches))
      if (context) forget(network.identify(context))
    }
    return network
  }
  function write(level: LogLevel, message: string): void {
    if (switches.includes(level)) forget(worker().log(level, message))
  }

  return {
    trace: (message) => write('Trace', message),
    info: (message) => write('Info', message),
    error: (message, cause) =>
      cause === undefined ? write('Error', message) : write('Exception', `${message}: ${causeText(cause)}`),
    switchTo(next) {
      const wasOn = switches.length > 0
      switches = next
      told = null
      if (wasOn || next.length > 0) worker()
    },
    identify(next) {
      context = next
      if (switches.length === 0) return
      told = null
      worker()
    },
    flush() {
      if (switches.length > 0) forget(worker().flushLogs())
    },
  }
}

function causeText(cause: unknown): string {
  if (cause instanceof AppError) return `${cause.code} (${cause.message})`
  return cause instanceof Error ? `${cause.name} (${cause.message})` : String(cause)
}

function forget(call: Promise<void>): void {
  call.catch(() => {})
}
