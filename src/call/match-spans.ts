import { span } from '#workers/trace.ts'

export type MatchSpans = ReturnType<typeof createMatchSpans>

/** Measures, for the profiler, how long a search takes, and the way from its match to the peer's picture. */
export function createMatchSpans() {
  let since = 0
  return {
    searching(): void {
      since = performance.now()
    },
    matched(): void {
      span('Match', 'search', since)
      since = performance.now()
    },
    pictureArrived(): void {
      span('Match', 'to the picture', since)
    },
  }
}
