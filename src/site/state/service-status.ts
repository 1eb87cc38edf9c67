import { type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api, PageAttention } from '../../platform/ports.ts'
import { afterFailure, afterPause, type SeenStatus } from '../rules/service-status.ts'

/** Time from a response to the next request. */
const REFRESH_MS = 30_000

export type ServiceStatusStore = ReturnType<typeof createServiceStatusStore>

type Ports = { api: Api; log: Log; clock: Clock; page: PageAttention }

/** What works and what does not, according to the server. */
export function createServiceStatusStore({ api, log, clock, page }: Ports) {
  const seen = signal<SeenStatus>({ what: 'reading' })

  async function read(signal: AbortSignal): Promise<void> {
    try {
      const status = await api.request('readServiceStatus', undefined, signal)
      seen.value = { what: 'read', status, at: clock.now() }
    } catch (thrown) {
      if (signal.aborted) return
      log.error('The state of the service was not read', thrown)
      seen.value = afterFailure(seen.peek(), toAppError(thrown).code, clock.now())
    }
  }

  /** Reads now and at intervals. Returns a function that stops it. */
  function repeat(): () => void {
    const repeating = new AbortController()
    const { signal } = repeating
    let cancel = () => {}
    seen.value = afterPause(seen.peek(), clock.now())
    async function beat(): Promise<void> {
      await read(signal)
      if (!signal.aborted) cancel = clock.after(REFRESH_MS, () => void beat())
    }
    void beat()
    return () => {
      repeating.abort()
      cancel()
    }
  }

  return {
    seen: seen as ReadonlySignal<SeenStatus>,
    /** Reads while the page is visible and not offline. Returns a function that stops it. */
    watch(): () => void {
      let stop = () => {}
      function follow(): void {
        stop()
        const state = page.state()
        stop = state === 'awake' ? repeat() : () => {}
        if (state === 'offline') seen.value = { what: 'offline' }
      }
      const unsubscribe = page.onChange(follow)
      follow()
      return () => {
        unsubscribe()
        stop()
      }
    },
  }
}
