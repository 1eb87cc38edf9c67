import type { Clock } from '../../platform/rules/clock.ts'
import type { FrameRecord, Frames } from './ports.ts'

const WRITE_EVERY_MS = 1_000
const WRITE_AT = 100
const BATCH = 500
/** Most records that wait while the store is unavailable; if there are more, the oldest are dropped. */
const WAITING_MAX = 10_000

export type FrameLog = ReturnType<typeof createFrameLog>

/** Records the metadata of frames, many in one write. A failed write is repeated; if it had stored its records, they are stored twice. */
export function createFrameLog(deps: { records: Frames; clock: Clock; fault: (error: unknown) => void }) {
  const { records, clock, fault } = deps
  let waiting: FrameRecord[] = []
  let cancel: (() => void) | null = null
  let writing: Promise<void> | null = null
  let stopped = false

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH)
        waiting = waiting.slice(BATCH)
        await records.record(batch).catch((error: unknown) => {
          waiting = [...batch, ...waiting].slice(-WAITING_MAX)
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
    /** Records a frame within a second, together with others. A crash loses the records of the last second. */
    record(frame: FrameRecord): void {
      waiting.push(frame)
      if (waiting.length > WAITING_MAX) waiting.shift()
      if (waiting.length === WRITE_AT) void write()
      else writeSoon()
    },
    /** Writes the records that wait; records that come later are not written. */
    async stop(): Promise<void> {
      await writing
      stopped = true
      await write()
    },
  }
}
