import { consoleEndpoints } from '#protocol/console.ts'
import type { Profiles } from '../accounts/rules/profile-ports.ts'
import { moderatorKey } from '../config/secrets.ts'
import type { Signals } from '../frames/rules/ports.ts'
import type { Evidence } from '../moderation/rules/evidence.ts'
import type { EvidenceRecords } from '../moderation/rules/evidence-ports.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { Cases, Risks } from '../moderation/rules/ports.ts'
import type { ContentNotices } from '../notices/rules/ports.ts'
import { newReference } from '../platform/crypto.ts'
import { serveApi } from '../platform/http/api.ts'
import type { Platform } from '../platform/platform.ts'
import type { RefusedWords } from '../words/rules/ports.ts'
import { deskRoutes } from './http/desk-routes.ts'
import { byModerator, createConsoleCookies, loginRoutes } from './http/login-routes.ts'
import { createModeratorTools, type DeriveKey } from './moderator-tools.ts'
import { createPreservationVault } from './preservation-vault.ts'
import { createConsoleRecords } from './records/console-records.ts'
import { createConsoleDesk } from './rules/desk.ts'
import { createModeratorAccounts } from './rules/moderator-accounts.ts'
import { createModeratorLogins } from './rules/moderator-logins.ts'
import { createNoticeDesk } from './rules/notice-desk.ts'
import type { RecordAction } from './rules/ports.ts'
import { createPreservationDesk } from './rules/preservation-desk.ts'
import { createWordDesk } from './rules/word-desk.ts'

type Deps = {
  moderation: Pick<Moderation, 'decide' | 'banMinor' | 'liftMinorBan'>
  profiles: Pick<Profiles, 'find' | 'correctBirth'>
  evidence: Pick<Evidence, 'read'>
  contentNotices: ContentNotices
  refusedWords: RefusedWords
  /** Resolves with the interests that are offered to everybody. */
  suggest: () => Promise<string[]>
  records: { cases: Cases; risks: Risks; evidence: EvidenceRecords; signals: Signals }
  /** Replaces the costly derivation of keys from passwords; undefined for the usual one. */
  deriveKey: DeriveKey | undefined
}

export function composeConsole(platform: Platform, deps: Deps) {
  const { moderation, profiles, contentNotices, refusedWords, suggest, deriveKey } = deps
  const { config, secrets, clock, newId, counts, database, http } = platform
  const { moderators, audit, desk, preservations, caseFacts } = database.records(createConsoleRecords)
  const policy = config.moderation
  const evidence = { read: deps.evidence.read, list: deps.records.evidence.list }
  const record: RecordAction = ({ name, loginSessionId }, action, what, whom = null) =>
    audit.add({ at: clock.now(), moderator: name, session: loginSessionId, action, whom, what })
  const accounts = { moderators, audit, tools: createModeratorTools(moderatorKey(secrets), deriveKey), clock, newId }
  const logins = createModeratorLogins({ ...accounts, counts })
  const cookies = createConsoleCookies(http.secureCookies)
  const shared = { record, clock }
  const vault = createPreservationVault(secrets.evidence)
  const preserved = { records: preservations, facts: caseFacts, evidence, vault, newId, newReceipt: newReference }
  const desks = {
    cases: createConsoleDesk({ ...deps.records, ...shared, desk, moderation, profiles, evidence, policy }),
    notices: createNoticeDesk({ ...shared, records: contentNotices, sendsEmail: config.smtp !== null }),
    words: createWordDesk({ ...shared, records: refusedWords, suggest }),
    preservations: createPreservationDesk({ ...shared, ...preserved }),
  }

  return {
    audit,
    /** The operator's commands about moderators' accounts. */
    moderatorAccounts: createModeratorAccounts(accounts),

    serve: () =>
      serveApi(platform.app, {
        ...http,
        scope: 'console',
        table: consoleEndpoints,
        async authenticate(request) {
          const token = cookies.login.read(request)
          return token === undefined ? null : logins.find(token)
        },
        idOf: ({ moderatorId }) => moderatorId,
        limitKey: byModerator,
        groups: [(endpoint) => loginRoutes(endpoint, logins, cookies), (endpoint) => deskRoutes(endpoint, desks)],
      }),
  }
}
