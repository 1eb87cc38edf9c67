import type { Clock } from '../../platform/rules/clock.ts'
import type { FrameRecord, Frames } from './ports.ts'

const WRITE_EVERY_MS = 1_000
const WRITE_AT = 100
/** In one write, and what may wait while the records are away: beyond it the oldest are given up. */
const AT_ONCE = 500
const MOST = 10_000

export type FrameLog = {
  /** Written down within a second together with others, so that a crash loses the last second's. */
  note(frame: FrameRecord): void
  /** Writes what waits; what comes later is not written. */
  stop(): Promise<void>
}

/** Writes down that pictures came, many in one write. What could not be written is tried again, and comes twice where it was in fact written. */
export function createFrameLog(deps: { records: Frames; clock: Clock; fault: (error: unknown) => void }): FrameLog {
  const { records, clock, fault } = deps
  let waiting: FrameRecord[] = []
  let cancel: (() => void) | null = null
  let writing: Promise<void> | null = null
  let stopped = false

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, AT_ONCE)
        waiting = waiting.slice(AT_ONCE)
        await records.record(batch).catch((error: unknown) => {
          waiting = [...batch, ...waiting].slice(-MOST)
          throw error
        })
      }
    } catch (error) {
      fault(error)
    }
  }

  function write(): Promise<void> {
    cancel?.()
    cancel = null
    writing ??= writeAll().finally(() => {
      writing = null
      if (waiting.length > 0) writeSoon()
    })
    return writing
  }

  function writeSoon(): void {
    if (stopped) return
    cancel ??= clock.after(WRITE_EVERY_MS, () => {
      cancel = null
      void write()
    })
  }

  return {
    note(frame) {
      waiting.push(frame)
      if (waiting.length > MOST) waiting.shift()
      if (waiting.length === WRITE_AT) void write()
      else writeSoon()
    },
    async stop() {
      await writing
      stopped = true
      await write()
    },
  }
}
