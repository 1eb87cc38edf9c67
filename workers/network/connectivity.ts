import { AppError } from '#protocol/errors.ts'

/** A call waits this long, all in all, for a network that is known to be away. */
const LONGEST_WAIT_MS = 30_000
/** Chromium keeps `onLine` up to date in workers, but sends them no `online` event. */
const LOOK_MS = 250

interface Connectivity {
  /**
   * One call's patience, asked before each of its attempts: resolves at once unless the browser knows that there is no network,
   * else when there is one. Rejects with `network-error` when the waits of the call have taken too long, or with `aborted`.
   */
  patience(signal?: AbortSignal): () => Promise<void>
}

/** `state.onLine` is to be believed when it is false, and says little when it is true. */
export function createConnectivity(
  state: { readonly onLine: boolean },
  longestWaitMs: number = LONGEST_WAIT_MS,
): Connectivity {
  function backWithin(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        clearTimeout(timer)
        clearInterval(looking)
        signal?.removeEventListener('abort', aborted)
        finish()
      }
      const aborted = () => end(() => reject(new AppError('aborted')))
      const timer = setTimeout(() => end(() => reject(new AppError('network-error', 'There is no network'))), waitMs)
      const looking = setInterval(() => {
        if (state.onLine) end(resolve)
      }, LOOK_MS)
      signal?.addEventListener('abort', aborted)
    })
  }

  return {
    patience(signal) {
      let left = longestWaitMs
      return async () => {
        if (signal?.aborted) throw new AppError('aborted')
        if (state.onLine) return
        const start = performance.now()
        await backWithin(left, signal)
        left -= performance.now() - start
      }
    },
  }
}
