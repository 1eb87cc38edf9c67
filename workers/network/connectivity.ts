import { AppError } from '#protocol/errors.ts'

/** Longest total wait of one request while the browser is offline. */
const LONGEST_WAIT_MS = 30_000
/** Polling interval: Chromium updates `onLine` in workers but sends no `online` event there. */
const POLL_MS = 250

/** `state.onLine` is reliable when false; when true, the network may still be away. */
export function createConnectivity(state: { readonly onLine: boolean }, longestWaitMs: number = LONGEST_WAIT_MS) {
  function onlineWithin(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        clearTimeout(timer)
        clearInterval(poll)
        signal?.removeEventListener('abort', aborted)
        finish()
      }
      const aborted = () => end(() => reject(new AppError('aborted')))
      const timer = setTimeout(() => end(() => reject(new AppError('network-error', 'The browser is offline'))), waitMs)
      const poll = setInterval(() => {
        if (state.onLine) end(resolve)
      }, POLL_MS)
      signal?.addEventListener('abort', aborted)
    })
  }

  return {
    /**
     * Returns a function to await before each attempt of one request. It resolves when the browser is not offline, and rejects with
     * `network-error` when the waits of the request exceed `longestWaitMs` in total, or with `aborted` after `signal`.
     */
    createWait(signal?: AbortSignal): () => Promise<void> {
      let left = longestWaitMs
      return async () => {
        if (signal?.aborted) throw new AppError('aborted')
        if (state.onLine) return
        const start = performance.now()
        await onlineWithin(left, signal)
        left -= performance.now() - start
      }
    },
  }
}
