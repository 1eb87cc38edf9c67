import type { UseStore } from 'idb-keyval'
import { DATABASE } from '#protocol/constants.ts'
import type { Storage } from '../domain/ports.ts'

/** Stores values in IndexedDB. If it is unavailable (private mode, full, blocked), reads are undefined and writes do nothing. */
export function createStorage(): Storage<Blob> {
  let opened: UseStore | undefined

  async function open() {
    const library = await import('idb-keyval')
    opened ??= library.createStore(DATABASE.name, DATABASE.store)
    return { ...library, store: opened }
  }

  return {
    async get(key) {
      try {
        const { get, store } = await open()
        const value = await get<unknown>(key, store)
        return typeof value === 'string' || value instanceof Blob ? value : undefined
      } catch {
        return undefined
      }
    },
    async set(key, value) {
      try {
        const { set, store } = await open()
        await set(key, value, store)
      } catch {
        // Stored values are for convenience only.
      }
    },
    async clear(kept) {
      try {
        const { delMany, keys, store } = await open()
        const stored = await keys<string>(store)
        await delMany(
          stored.filter((key) => !kept.includes(key)),
          store,
        )
      } catch {
        // Nothing was stored, so there is nothing to clear.
      }
    },
  }
}
