/**
 * The browser's history. A search and a call have one entry together, above that of the dashboard, so that Back leads there. Splash,
 * sign-in and welcome give their entry to the next screen, so that Back from the dashboard leaves the product. The pages that
 * everyone may read have ordinary entries.
 */
export type HistoryEntry = { path: string; isAboveDashboard: boolean }

/** The state of a history entry below which is the dashboard's. */
export const ABOVE_DASHBOARD = { isAboveDashboard: true } as const

/** Whether an entry has this state. The browser keeps it across a reload. */
export function isAboveDashboard(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isAboveDashboard' in state && state.isAboveDashboard === true
}

/** The screens of a search and a call. */
export function isCallScreen(path: string): boolean {
  return path === '/buzzing' || path === '/chat'
}

/** The screens whose entry the splash screen takes: a way home from one of them adds none. */
export function givesEntryAway(path: string): boolean {
  return path === '/login' || path === '/dashboard'
}
