import { LOG_BATCH_ENTRIES, LOG_BATCH_LIMIT, LOG_INTERVAL_MS } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import type { LogEntry } from '#protocol/rest.ts'
import type { LogContext, LogLevel } from './contract.ts'

export type LogSwitches = Readonly<Record<LogLevel, boolean>>
export const logsOff: LogSwitches = { Trace: false, Info: false, Error: false, Exception: false }

export interface LogClock {
  now(): number
  wait(ms: number): Promise<void>
  every(ms: number, task: () => void): void
}

export interface LogBatcher {
  add(level: LogLevel, message: string): void
  identify(context: LogContext): void
  /** Resolves when everything queued has left or could not leave. Never rejects. */
  flush(): Promise<void>
}

const ATTEMPTS = 3
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 10_000
const MESSAGE_MAX = 8_192
/** Entries kept while the server is away; later ones are lost. */
const QUEUE_MAX = 5 * LOG_BATCH_ENTRIES

/** Collects log entries and sends them in batches, in order. A batch that the server refuses for what it is, is dropped. */
export function createLogBatcher(
  send: (entries: LogEntry[]) => Promise<unknown>,
  clock: LogClock,
  switches: LogSwitches = logsOff,
): LogBatcher {
  const queue: LogEntry[] = []
  let context: LogContext = { userSessionId: '', clockOffsetMs: 0 }
  let sending: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchLength(queue))
      if (!(await delivered(batch))) return
      queue.splice(0, batch.length)
    }
  }

  async function delivered(batch: LogEntry[]): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await clock.wait(Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS))
      try {
        await send(batch)
        return true
      } catch (error) {
        if (refusedForGood(error)) return true
      }
    }
    return false
  }

  function flush(): Promise<void> {
    sending ??= drain().finally(() => {
      sending = null
    })
    return sending
  }

  clock.every(LOG_INTERVAL_MS, () => void flush())

  return {
    add(level, message) {
      if (!switches[level] || queue.length >= QUEUE_MAX) return
      queue.push({
        userSessionId: context.userSessionId || 'New user',
        logMessage: message.slice(0, MESSAGE_MAX),
        logLevel: level === 'Trace' ? 'Info' : level,
        platform: 'Web',
        dateTime: new Date(clock.now() + context.clockOffsetMs).toISOString(),
      })
    },
    identify(next) {
      context = next
    },
    flush,
  }
}

/** How many of the oldest entries fit into one request; at least one. */
function batchLength(queue: readonly LogEntry[]): number {
  const encoder = new TextEncoder()
  let bytes = 2
  let length = 0
  for (const entry of queue.slice(0, LOG_BATCH_ENTRIES)) {
    bytes += encoder.encode(JSON.stringify(entry)).length + 1
    if (bytes > LOG_BATCH_LIMIT) break
    length += 1
  }
  return Math.max(length, 1)
}

function refusedForGood(error: unknown): boolean {
  const { status } = toAppError(error).details
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
}
