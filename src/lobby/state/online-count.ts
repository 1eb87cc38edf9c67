import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS, ONLINE_USERS_FALLBACK } from '#protocol/constants.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'

/** Largest number of beats (`FRAME_INTERVAL_MS`) that are skipped after failures in a row. */
const MOST_SKIPPED = 5

/** The numbers of online users and of users in calls. */
export function createOnlineCount({ api, clock, log }: { api: Api; clock: Clock; log: Log }) {
  const count = signal<number | null>(null)
  const talking = signal<number | null>(null)
  const unread = signal(false)
  let shownAt = Number.NEGATIVE_INFINITY
  /** True if the response to another request has brought the numbers since the last interval. */
  let isTold = false

  function show({ onlineUsers, talkingUsers }: OnlineCounts): void {
    talking.value = talkingUsers ?? null
    count.value = typeof onlineUsers === 'number' ? onlineUsers : ONLINE_USERS_FALLBACK
    unread.value = false
    shownAt = clock.now()
  }

  async function read(signal: AbortSignal): Promise<void> {
    const counts = await api.request('readOnlineUsers', undefined, signal)
    if (!signal.aborted) show(counts)
  }

  return {
    /** Null until the first response. */
    count: count as ReadonlySignal<number | null>,
    /** Null if the server does not send it. */
    talking: talking as ReadonlySignal<number | null>,
    isKnown: computed(() => count.value !== null),
    /** True if the last request failed. */
    unread: unread as ReadonlySignal<boolean>,
    show,
    /** Shows numbers from the response to another request. The next request for the numbers is left out. */
    tell(counts: OnlineCounts): void {
      show(counts)
      isTold = true
    },
    /**
     * Reads the count now, unless it has just been shown, and then at intervals, which grow with failures; `tell` replaces the next
     * reading. Sends one request at a time, because offline each request waits for the network. Returns a function that stops it.
     */
    watch(): () => void {
      const watching = new AbortController()
      const { signal } = watching
      isTold = false
      let busy = false
      let failures = 0
      let skip = 0

      async function beat(): Promise<void> {
        if (busy) return
        if (isTold) {
          isTold = false
          return
        }
        if (skip > 0) {
          skip -= 1
          return
        }
        busy = true
        try {
          await read(signal)
          failures = 0
        } catch (thrown) {
          if (signal.aborted) return
          log.error('The online count was not read', thrown)
          unread.value = true
          skip = Math.min(2 ** failures - 1, MOST_SKIPPED)
          failures += 1
        } finally {
          busy = false
        }
      }

      if (clock.now() - shownAt >= FRAME_INTERVAL_MS) void beat()
      const stop = clock.every(FRAME_INTERVAL_MS, () => void beat())
      return () => {
        watching.abort()
        stop()
      }
    },
  }
}
