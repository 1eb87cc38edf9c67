/**
 * An entry of the browser's history. A search and its call share one entry above the dashboard's, so that Back leads to
 * the dashboard. Splash, sign-in and welcome are replaced by the next screen, so that Back from the dashboard leaves
 * the product. Public pages have ordinary entries.
 */
export type HistoryEntry = { path: string; isAboveDashboard: boolean }

/** The state of a history entry that is above the dashboard's entry. */
export const ABOVE_DASHBOARD = { isAboveDashboard: true } as const

/** Whether a history entry has the state ABOVE_DASHBOARD. The browser keeps the state across a reload. */
export function isAboveDashboard(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isAboveDashboard' in state && state.isAboveDashboard === true
}

/** Whether the path is a screen of a search or a call. */
export function isCallScreen(path: string): boolean {
  return path === '/buzzing' || path === '/chat'
}

/** Whether the splash screen replaces the entry of this screen: the way to the home page then adds no entry. */
export function givesEntryAway(path: string): boolean {
  return path === '/login' || path === '/dashboard'
}
