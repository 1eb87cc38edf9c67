import { LOG_INTERVAL_MS } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import type { LogLevel } from '#protocol/fields.ts'
import { LOG_MESSAGE_MAX, type LogEntry, TRACE_MARK } from '#protocol/log-entry.ts'
import { redact } from '#protocol/redact.ts'
import type { LogContext, LogSwitches } from './contract.ts'
import { append, batchOf, emptyQueue, endBatch, type QueuedEntry, startBatch } from './log-queue.ts'
import type { LogStore } from './log-store.ts'
import { isPermanentRejection } from './request-error.ts'

export interface LogClock {
  now(): number
  wait(ms: number): Promise<void>
  after(ms: number, task: () => void): void
  every(ms: number, task: () => void): void
}

type Ports = {
  /** Sends one batch; the server stores a batch with the same key once. */
  send(entries: LogEntry[], key: string): Promise<unknown>
  store: LogStore
  clock: LogClock
  newId: () => string
}

const ATTEMPTS = 3
const FIRST_DELAY_MS = 1_000
/** Entries are stored together after this time; a page that crashes loses younger entries. */
const WRITE_MS = 1_000

/** Collects log entries, stores them, and sends them in batches, in order. Drops a batch that the server rejects permanently. */
export function createLogBatcher({ send, store, clock, newId }: Ports) {
  let switches: LogSwitches = []
  let context: LogContext = { userSessionId: '', clockOffsetMs: 0 }
  let unwritten: QueuedEntry[] = []
  let sending: Promise<void> | null = null

  async function write(): Promise<void> {
    if (unwritten.length === 0) return
    const entries = unwritten
    unwritten = []
    await store.change((queue) => append(queue, entries))
  }

  async function drain(): Promise<void> {
    for (;;) {
      await write()
      const batch = batchOf(await store.change((queue) => startBatch(queue, newId())))
      if (!batch || !(await delivered(batch.entries, batch.key))) return
      await store.change((queue) => endBatch(queue, batch.key))
    }
  }

  async function delivered(entries: LogEntry[], key: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await clock.wait(FIRST_DELAY_MS * 2 ** (attempt - 1))
      // The user has withdrawn consent in the meantime.
      if (switches.length === 0) return false
      try {
        await send(entries, key)
        return true
      } catch (error) {
        if (isPermanentRejection(toAppError(error).details.status)) return true
      }
    }
    return false
  }

  /** Resolves when every queued entry is sent or has failed. Never rejects. */
  async function flush(): Promise<void> {
    if (switches.length === 0) return
    const underWay = sending
    // If no run is under way, one starts at once: entries that are queued right after `switchOn` go into the next batch.
    if (underWay) await underWay
    // Entries that arrived after that run had read the queue need another run.
    if (!underWay || unwritten.length > 0) {
      sending ??= drain().finally(() => {
        sending = null
      })
    }
    await sending
  }

  clock.every(LOG_INTERVAL_MS, () => void flush())

  return {
    add(level: LogLevel, message: string): void {
      if (!switches.includes(level)) return
      if (unwritten.length === 0) clock.after(WRITE_MS, () => void write())
      unwritten.push({
        uniqueId: newId(),
        userSessionId: context.userSessionId || 'New user',
        logMessage: `${level === 'Trace' ? TRACE_MARK : ''}${redact(message.slice(0, LOG_MESSAGE_MAX))}`.slice(
          0,
          LOG_MESSAGE_MAX,
        ),
        logLevel: level === 'Trace' ? 'Info' : level,
        platform: 'Web',
        dateTime: new Date(clock.now() + context.clockOffsetMs).toISOString(),
      })
    },
    identify(next: LogContext): void {
      context = next
    },
    /** Sets the levels to record. Sends what an earlier visit left in the store, or deletes it if no level is on. */
    switchOn(levels: LogSwitches): void {
      switches = levels
      if (levels.length > 0) void flush()
      else {
        unwritten = []
        void store.change(() => emptyQueue)
      }
    },
    flush,
  }
}
