import type { PageState } from '../ports.ts'

/** Reports the visibility of the page and the load of its thread, for the lifetime of the page. */
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
