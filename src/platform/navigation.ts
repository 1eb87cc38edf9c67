import { ABOVE_DASHBOARD, type HistoryEntry, isCallScreen } from './rules/history-entry.ts'

type Router = {
  /** The path of the browser's current entry, which may not be shown yet. */
  path(): string
  /** Shows the path in place of the current history entry, with this state. */
  replace(path: string, state: typeof ABOVE_DASHBOARD | null): void
  /** Goes to the entry before, some time later. */
  back(): void
}

export type Navigation = ReturnType<typeof createNavigation>

/** Lets code outside of React change the screen. No change adds an entry to the browser's history. */
export function createNavigation() {
  let router: Router | null = null
  let entry: HistoryEntry = { path: '', isAboveDashboard: false }
  let isGoingBack = false
  /** The last path that came before the router was bound, or on the way back. */
  let waiting: string | null = null

  function go(path: string): void {
    if (!router || isGoingBack) {
      waiting = path
      return
    }
    const isFromCall = isCallScreen(router.path())
    if (isCallScreen(path)) {
      // Otherwise the user has left the call, and the call has not learned of it yet.
      if (isFromCall) replace(router, { ...entry, path })
    } else if (isFromCall && entry.isAboveDashboard) {
      isGoingBack = true
      waiting = path
      router.back()
    } else replace(router, { path, isAboveDashboard: false })
  }

  function replace({ replace }: Router, next: HistoryEntry): void {
    entry = next
    replace(next.path, next.isAboveDashboard ? ABOVE_DASHBOARD : null)
  }

  function goWaiting(): void {
    const path = waiting
    waiting = null
    if (path !== null && path !== entry.path) go(path)
  }

  return {
    /** Goes to a product screen. From a call to any other screen it is the way back to the dashboard's entry. */
    go,

    bind(to: Router): () => void {
      router = to
      if (!isGoingBack) goWaiting()
      return () => {
        router = null
      }
    },

    /** Called with every entry that is shown. */
    arrived(next: HistoryEntry): void {
      // A call screen that was chosen before the way back began.
      if (isGoingBack && isCallScreen(next.path)) return
      entry = next
      if (!isGoingBack) return
      isGoingBack = false
      goWaiting()
    },
  }
}
