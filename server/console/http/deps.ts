import type { Counts } from '../../platform/rules/counts.ts'
import type { ConsoleDesk } from '../rules/desk.ts'
import type { ModeratorLogins } from '../rules/moderator-logins.ts'

/** What the console's routes are built from. */
export type ConsoleDeps = {
  /** Where https is missing only because the page comes from this machine. */
  secureCookies: boolean
  /** True for an Origin that may change something here. */
  originAllowed: (origin: string | undefined) => boolean
  /** Of calls, for their limits. */
  counts: Counts
  logins: ModeratorLogins
  desk: ConsoleDesk
}
