import { type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS, ONLINE_USERS_FALLBACK } from '#protocol/constants.ts'
import type { Api, Clock, Log } from '../domain/ports.ts'

/** The number of online users. */
export function createOnlineCount({ api, clock, log }: { api: Api; clock: Clock; log: Log }) {
  const count = signal(ONLINE_USERS_FALLBACK)

  async function read(signal: AbortSignal): Promise<void> {
    const { onlineUsers } = await api.request('readOnlineUsers', undefined, signal)
    if (!signal.aborted) show(onlineUsers)
  }

  function show(onlineUsers: unknown): void {
    count.value = typeof onlineUsers === 'number' ? onlineUsers : ONLINE_USERS_FALLBACK
  }

  return {
    count: count as ReadonlySignal<number>,
    read,
    show,
    /**
     * Reads the count at intervals, one request at a time, because offline each of them waits for the network. Returns a function
     * that stops it.
     */
    poll(signal: AbortSignal): () => void {
      let busy = false
      return clock.every(FRAME_INTERVAL_MS, () => {
        if (busy) return
        busy = true
        read(signal)
          .catch((thrown: unknown) => {
            if (!signal.aborted) log.error('The online count was not read', thrown)
          })
          .finally(() => {
            busy = false
          })
      })
    },
  }
}
