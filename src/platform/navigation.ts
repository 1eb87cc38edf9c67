import { ABOVE_DASHBOARD, type HistoryEntry, isCallScreen } from './rules/history-entry.ts'

type Router = {
  /** The path of the browser's current entry, which may not be shown yet. */
  path(): string
  /** Shows the path, with this state, in place of the current history entry. */
  replace(path: string, state: typeof ABOVE_DASHBOARD | null): void
  /** Goes to the previous entry. The browser does so some time later. */
  back(): void
}

export type Navigation = ReturnType<typeof createNavigation>

/** Lets code outside of React change the screen. No change adds an entry to the browser's history. */
export function createNavigation() {
  let router: Router | null = null
  let entry: HistoryEntry = { path: '', isAboveDashboard: false }
  let isGoingBack = false
  /** The last path that was requested before the router was bound, or while the browser goes back. */
  let waiting: string | null = null

  function go(path: string): void {
    if (!router || isGoingBack) {
      waiting = path
      return
    }
    const isFromCall = isCallScreen(router.path())
    if (isCallScreen(path)) {
      // If no call screen is open, the user has left the call, which does not know it yet.
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
    /** Goes to a screen of the product. From a call to another screen, goes back to the dashboard's entry. */
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
      // Ignores the entry of a call screen that was requested before the way back began.
      if (isGoingBack && isCallScreen(next.path)) return
      entry = next
      if (!isGoingBack) return
      isGoingBack = false
      goWaiting()
    },
  }
}
