import { AppError } from '#protocol/errors.ts'
import { span } from '#workers/trace.ts'
import type { PeerEvent, PeerListener } from '../ports.ts'

export type PeerReporter = ReturnType<typeof createPeerReporter>

/** Reports the events of a peer connection to its listener. Events before `listen` are kept until then. */
export function createPeerReporter() {
  let listener: PeerListener<MediaStream> | null = null
  let held: PeerEvent<MediaStream>[] = []
  let isClosed = false
  let since = performance.now()

  function report(event: PeerEvent<MediaStream>): void {
    if (isClosed) return
    if (listener) listener(event)
    else held.push(event)
  }

  return {
    report,

    /** Reports only the error's name: the message may quote the description, which must not be logged. */
    reportFault(operation: string, thrown: unknown): void {
      const name = thrown instanceof Error ? thrown.name : 'unknown'
      const { code, message } =
        thrown instanceof AppError ? thrown : new AppError('peer-failed', `${operation} failed: ${name}`)
      report({ type: 'fault', code, message })
    },

    /** Records a span for the profiler, from the last milestone or `restart` until now. */
    milestone(label: string): void {
      const now = performance.now()
      span('Call setup', label, since, now)
      since = now
    },
    restart(): void {
      since = performance.now()
    },

    listen(to: PeerListener<MediaStream>): void {
      listener = to
      since = performance.now()
      const waiting = held
      held = []
      // Reports in a microtask, after the caller's synchronous code and before any new event.
      queueMicrotask(() => waiting.forEach(report))
    },

    isClosed: () => isClosed,
    /** Nothing is reported afterwards. */
    close(): void {
      isClosed = true
      held = []
      listener = null
    },
  }
}
