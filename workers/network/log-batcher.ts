import { LOG_INTERVAL_MS } from '#protocol/constants.ts'
import { toAppError } from '#protocol/errors.ts'
import type { LogLevel } from '#protocol/fields.ts'
import { LOG_MESSAGE_MAX, type LogEntry } from '#protocol/log-entry.ts'
import { redact } from '#protocol/redact.ts'
import type { LogContext, LogSwitches } from './contract.ts'
import { append, batchOf, emptyQueue, endBatch, type QueuedEntry, startBatch } from './log-queue.ts'
import type { LogStore } from './log-store.ts'

export interface LogClock {
  now(): number
  wait(ms: number): Promise<void>
  after(ms: number, task: () => void): void
  every(ms: number, task: () => void): void
}

type Ports = {
  /** Sends one batch; the server counts a key once. */
  send(entries: LogEntry[], key: string): Promise<unknown>
  store: LogStore
  clock: LogClock
  newId: () => string
}

export interface LogBatcher {
  add(level: LogLevel, message: string): void
  identify(context: LogContext): void
  /** Levels that are written from now on. With any of them on, what an earlier visit left is sent; with none, nothing of it stays. */
  switchOn(levels: LogSwitches): void
  /** Resolves when everything queued has left or could not leave. Never rejects. */
  flush(): Promise<void>
}

const ATTEMPTS = 3
const FIRST_DELAY_MS = 1_000
/** Lines are kept together, not one by one: what is younger than this is lost with a page that crashes. */
const WRITE_MS = 1_000

/** Collects log entries, keeps them until they are sent, and sends them in batches, in order. A batch that the server refuses for what it is, is dropped. */
export function createLogBatcher({ send, store, clock, newId }: Ports): LogBatcher {
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
      // Nobody may hear of it any more.
      if (switches.length === 0) return false
      try {
        await send(entries, key)
        return true
      } catch (error) {
        if (refusedForGood(error)) return true
      }
    }
    return false
  }

  async function flush(): Promise<void> {
    if (switches.length === 0) return
    const underWay = sending
    await underWay
    // What came too late for the round that was under way needs one of its own.
    if (!underWay || unwritten.length > 0) {
      sending ??= drain().finally(() => {
        sending = null
      })
    }
    await sending
  }

  clock.every(LOG_INTERVAL_MS, () => void flush())

  return {
    add(level, message) {
      if (!switches.includes(level)) return
      if (unwritten.length === 0) clock.after(WRITE_MS, () => void write())
      unwritten.push({
        uniqueId: newId(),
        userSessionId: context.userSessionId || 'New user',
        logMessage: redact(message.slice(0, LOG_MESSAGE_MAX)).slice(0, LOG_MESSAGE_MAX),
        logLevel: level === 'Trace' ? 'Info' : level,
        platform: 'Web',
        dateTime: new Date(clock.now() + context.clockOffsetMs).toISOString(),
      })
    },
    identify(next) {
      context = next
    },
    switchOn(levels) {
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

function refusedForGood(error: unknown): boolean {
  const { status } = toAppError(error).details
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429
}
