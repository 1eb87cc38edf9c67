import type { UseStore } from 'idb-keyval'
import { DATABASE } from '#protocol/constants.ts'
import type { Clock } from '../clock.ts'
import type { Storage } from '../ports.ts'
import { STORED_MS, within } from '../rules/within.ts'

type Library = typeof import('idb-keyval')

/**
 * Stores values in IndexedDB. If it is unavailable (private mode, full, blocked), reads are undefined and writes do nothing. If it never
 * answers, as in some versions of WebKit, a read waits for ever, and a write resolves after `STORED_MS`.
 */
export function createStorage(clock: Pick<Clock, 'after'>): Storage<Blob> {
  let opened: UseStore | undefined

  /** Tries a failed task once more over a new connection: browsers close connections as they like, and at a logout's `Clear-Site-Data`. */
  async function run<Value>(task: (library: Library, store: UseStore) => Promise<Value>): Promise<Value> {
    const library = await import('idb-keyval')
    const open = () => library.createStore(DATABASE.name, DATABASE.store)
    try {
      opened ??= open()
      return await task(library, opened)
    } catch {
      opened = open()
      return task(library, opened)
    }
  }

  function write(task: (library: Library, store: UseStore) => Promise<void>): Promise<void> {
    return within(clock, STORED_MS, run(task), undefined)
  }

  return {
    async get(key) {
      try {
        const value = await run(({ get }, store) => get<unknown>(key, store))
        return typeof value === 'string' || value instanceof Blob ? value : undefined
      } catch {
        return undefined
      }
    },
    async set(key, value) {
      try {
        await write(({ set }, store) => set(key, value, store))
      } catch {
        // The failure is ignored: stored values are only a convenience.
      }
    },
    async clear(kept) {
      try {
        await write(async ({ delMany, keys }, store) => {
          const stored = await keys<string>(store)
          await delMany(
            stored.filter((key) => !kept.includes(key)),
            store,
          )
        })
      } catch {
        // If the storage is unavailable, nothing was stored.
      }
    },
  }
}
