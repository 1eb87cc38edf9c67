import { moderatorKey, type Secrets } from '../config/secrets.ts'
import type { Evidence } from '../moderation/rules/evidence.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { ModerationPolicy } from '../moderation/rules/policy.ts'
import type { Store } from '../platform/database/open-store.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Counts } from '../platform/rules/counts.ts'
import type { ConsoleDeps } from './http/deps.ts'
import { createModeratorTools } from './moderator-tools.ts'
import { createConsoleDesk } from './rules/desk.ts'
import { createModeratorOffice, type ModeratorOffice } from './rules/moderator-accounts.ts'
import { createModeratorLogins } from './rules/moderator-logins.ts'

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
