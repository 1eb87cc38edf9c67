import { createStore, type UseStore, update } from 'idb-keyval'
import { DATABASE } from '#protocol/constants.ts'
import { emptyQueue, type LogQueue, readQueue } from './log-queue.ts'

const KEY = 'AppLogs'

/** Stores the queue of log entries. Never rejects. */
export interface LogStore {
  /** Replaces the queue by `step(queue)`, atomically across tabs, and returns the new queue. */
  change(step: (queue: LogQueue) => LogQueue): Promise<LogQueue>
}

export function createMemoryLogStore(): LogStore {
  let queue = emptyQueue
  return {
    async change(step) {
      queue = step(queue)
      return queue
    },
  }
}

/** Stores the queue in IndexedDB, and in memory after the first failure of IndexedDB. */
export function createLogStore(): LogStore {
  const memory = createMemoryLogStore()
  let store: UseStore | undefined
  let broken = false
  return {
    async change(step) {
      if (broken) return memory.change(step)
      let changed: LogQueue = emptyQueue
      try {
        store ??= createStore(DATABASE.name, DATABASE.store)
        await update<unknown>(
          KEY,
          (kept) => {
            changed = step(readQueue(kept))
            return changed
          },
          store,
        )
        return changed
      } catch {
        broken = true
        return memory.change(step)
      }
    },
  }
}
