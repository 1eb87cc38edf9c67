import type { ConsoleDesk } from '../rules/desk.ts'
import type { ModeratorLogins } from '../rules/moderator-logins.ts'

/** What the console's endpoints need. */
export type ConsoleHttp = { logins: ModeratorLogins; desk: ConsoleDesk }
