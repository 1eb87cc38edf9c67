import { createConsoleDesk } from './domain/console-desk.ts'
import type { Counts } from './domain/counts.ts'
import type { Evidence } from './domain/evidence.ts'
import type { Moderation } from './domain/moderation/moderation.ts'
import type { ModerationPolicy } from './domain/moderation/policy.ts'
import { createModeratorLogins } from './domain/moderator-logins.ts'
import { createModeratorOffice, type ModeratorOffice } from './domain/moderator-office.ts'
import type { Clock, Store } from './domain/ports.ts'
import type { ConsoleDeps } from './http/console/deps.ts'
import { createModeratorTools } from './moderator-tools.ts'
import { moderatorKey, type Secrets } from './secrets.ts'

type Parts = {
  store: Store
  secrets: Secrets
  clock: Clock
  newId: () => string
  counts: Counts
  moderation: Moderation
  evidence: Evidence
  policy: ModerationPolicy
}

/** The moderators' side of the server: who they are, and what they see and decide. */
export function createConsole(
  parts: Parts,
  http: Pick<ConsoleDeps, 'secureCookies' | 'originAllowed'>,
): { routes: ConsoleDeps; office: ModeratorOffice } {
  const { store, secrets, clock, newId, counts, moderation, evidence, policy } = parts
  const { moderators, audit, desk, cases, risks, signals } = store
  const tools = createModeratorTools(moderatorKey(secrets))
  const accounts = { moderators, audit, tools, clock, newId }
  return {
    routes: {
      ...http,
      counts,
      logins: createModeratorLogins({ ...accounts, tries: counts }),
      desk: createConsoleDesk({
        desk,
        cases,
        risks,
        signals,
        evidence: { read: evidence.read, list: store.evidence.list },
        decide: moderation.decide,
        audit,
        clock,
        policy,
      }),
    },
    office: createModeratorOffice(accounts),
  }
}
