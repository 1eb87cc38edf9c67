import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import type { Flags } from '../platform/state/visit.ts'

export const guardedPaths = ['/login', '/welcome', '/dashboard', '/buzzing', '/chat'] as const
export type GuardedPath = (typeof guardedPaths)[number]

/** `byBrowser`: the browser's Back, Forward or reload opens the screen. */
export type VisitState = { flags: Flags; status: BlockStatus | null; byBrowser: boolean }

/** Whether a guarded screen may open; if not, the route redirects to the root. Flags are kept in memory only. */
export function mayOpen(path: GuardedPath, { flags, status, byBrowser }: VisitState): boolean {
  switch (path) {
    case '/login':
      return flags.splashScreenPageLoaded
    case '/welcome':
      return flags.signInPageLoaded
    case '/dashboard':
      return flags.dashboardPageCanBeLoadedFromSplashScreen || flags.welcomePageLoaded
    case '/buzzing':
      return !byBrowser && flags.dashboardPageLoaded && status !== null && mayChat(status)
    case '/chat':
      return !byBrowser && flags.navigationToVideoCallPage && flags.dashboardPageLoaded
    default:
      return path satisfies never
  }
}
