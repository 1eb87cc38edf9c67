import { AppError } from '#protocol/errors.ts'
import type { LogLevel } from '#protocol/fields.ts'
import type { LogContext, LogSwitches, NetworkWorker } from '#workers/network/contract.ts'
import type { Log } from '../log.ts'
import type { Api } from '../ports.ts'
import type { Workers } from './workers.ts'

export function createApi(workers: Pick<Workers, 'network'>): Api {
  return {
    request: (name, input, signal) =>
      signal instanceof AbortSignal
        ? workers.network().request(name, input, signal)
        : workers.network().request(name, input),
  }
}

/** A log whose methods never throw and need not be awaited. */
export interface WorkerLog extends Log {
  trace(message: string): void
  /** Sets the levels to record; with an empty list all stored entries are deleted. */
  switchTo(levels: LogSwitches): void
  /** Sets the context of all later entries. */
  identify(context: LogContext): void
  /** Sends the queued entries; called when the page is hidden. */
  flush(): void
}

/** Largest number of entries that are kept until the levels are known; later entries are dropped. */
const EARLY_MAX = 20

/** Drops entries of a level that is off before they reach the worker. With null as `levels` the first entries wait for `switchTo`. */
export function createLog(workers: Pick<Workers, 'network'>, levels: LogSwitches | null): WorkerLog {
  let switches = levels ?? []
  let early: [LogLevel, string][] | null = levels ? null : []
  let context: LogContext | null = null
  let configured: NetworkWorker | null = null

  function worker(): NetworkWorker {
    const network = workers.network()
    if (configured !== network) {
      configured = network
      ignoreFailure(network.switchLogs(switches))
      if (context) ignoreFailure(network.identify(context))
    }
    return network
  }
  function write(level: LogLevel, message: string): void {
    if (early && early.length < EARLY_MAX) early.push([level, message])
    if (switches.includes(level)) ignoreFailure(worker().log(level, message))
  }

  return {
    trace: (message) => write('Trace', message),
    info: (message) => write('Info', message),
    error: (message, cause) =>
      cause === undefined ? write('Error', message) : write('Exception', `${message}: ${causeText(cause)}`),
    switchTo(next) {
      const wasOn = switches.length > 0
      switches = next
      configured = null
      if (wasOn || next.length > 0) worker()
      const waiting = early ?? []
      early = null
      for (const [level, message] of waiting) write(level, message)
    },
    identify(next) {
      context = next
      if (switches.length === 0) return
      configured = null
      worker()
    },
    flush() {
      if (switches.length > 0) ignoreFailure(worker().flushLogs())
    },
  }
}

function causeText(cause: unknown): string {
  if (cause instanceof AppError) return `${cause.code} (${cause.message})`
  return cause instanceof Error ? `${cause.name} (${cause.message})` : String(cause)
}

function ignoreFailure(request: Promise<void>): void {
  request.catch(() => {})
}
