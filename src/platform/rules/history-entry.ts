/**
 * The browser's history. A search and its call share an entry, above the dashboard's entry, so that Back leads to the
 * dashboard. Splash, sign-in and welcome give their entry to the next screen, so that Back from the dashboard leaves
 * the product. The pages that everyone may read have ordinary entries.
 */
export type HistoryEntry = { path: string; isAboveDashboard: boolean }

/** The state of a history entry that stands above the dashboard's entry. */
export const ABOVE_DASHBOARD = { isAboveDashboard: true } as const

/** Whether an entry has this state, which the browser keeps across a reload. */
export function isAboveDashboard(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isAboveDashboard' in state && state.isAboveDashboard === true
}

/** Whether the path is a screen of a search or a call. */
export function isCallScreen(path: string): boolean {
  return path === '/buzzing' || path === '/chat'
}

/** True for the screens whose entry the splash screen takes: a link home from there adds no entry. */
export function givesEntryAway(path: string): boolean {
  return path === '/login' || path === '/dashboard'
}
