import type { PageState } from '../domain/ports.ts'

/** Whether the page is seen, and how busy its thread is, for as long as the page lives. */
export function createPageState(): PageState {
  let longTaskMs = 0
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTaskMs += duration
    }).observe({ type: 'longtask' })
  }
  return {
    hidden: () => document.visibilityState === 'hidden',
    onVisibility: (listener) => document.addEventListener('visibilitychange', listener),
    takeLongTaskMs() {
      const taken = longTaskMs
      longTaskMs = 0
      return taken
    },
  }
}
