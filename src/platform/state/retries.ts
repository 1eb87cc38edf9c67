import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

/** Pauses after the first, second ... failure; the last pause repeats. The network worker repeats a request a few times by itself. */
const PAUSES_MS = [5_000, 10_000, 20_000, 40_000, 60_000] as const

/** Runs `work` until it succeeds or is stopped, with growing pauses. Logs each failure as `failure`. */
export function createRetries(
  { clock, log }: { clock: Clock; log: Log },
  failure: string,
  work: (signal: AbortSignal) => Promise<void>,
) {
  const failed = signal(false)
  const busy = signal(false)
  let running = new AbortController()
  let cancelTimer = () => {}

  async function attempt(run: AbortController, failures: number): Promise<void> {
    const { signal } = run
    busy.value = true
    try {
      await work(signal)
      if (!signal.aborted) failed.value = false
    } catch (thrown) {
      if (signal.aborted) return
      log.error(failure, thrown)
      failed.value = true
      const pauseMs = PAUSES_MS[failures] ?? PAUSES_MS[4]
      cancelTimer = clock.after(pauseMs, () => void attempt(run, failures + 1))
    } finally {
      if (!signal.aborted) busy.value = false
    }
  }

  function stop(): void {
    running.abort()
    cancelTimer()
    failed.value = false
    busy.value = false
  }

  return {
    /** True from a failure to the next success. */
    failed: failed as ReadonlySignal<boolean>,
    busy: busy as ReadonlySignal<boolean>,
    /** Begins anew. Resolves after the first attempt; never rejects. */
    start(): Promise<void> {
      stop()
      running = new AbortController()
      return attempt(running, 0)
    },
    /** Makes the next attempt at once, if one is waiting. */
    again(): void {
      if (busy.peek() || !failed.peek()) return
      cancelTimer()
      void attempt(running, 0)
    },
    stop,
  }
}
