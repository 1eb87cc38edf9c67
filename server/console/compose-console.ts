import { randomBytes } from 'node:crypto'
import { consoleEndpoints } from '#protocol/console.ts'
import type { Profiles } from '../accounts/rules/profile-ports.ts'
import { moderatorKey } from '../config/secrets.ts'
import type { Signals } from '../frames/rules/ports.ts'
import type { Evidence } from '../moderation/rules/evidence.ts'
import type { EvidenceRecords } from '../moderation/rules/evidence-ports.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { Cases, Risks } from '../moderation/rules/ports.ts'
import type { ContentNotices } from '../notices/rules/ports.ts'
import { serveApi } from '../platform/http/api.ts'
import type { Platform } from '../platform/platform.ts'
import type { RefusedWords } from '../words/rules/ports.ts'
import { caseRoutes } from './http/case-routes.ts'
import { createConsoleCookies } from './http/console-cookies.ts'
import { byModerator } from './http/console-endpoint.ts'
import { loginRoutes } from './http/login-routes.ts'
import { contentNoticeRoutes } from './http/notice-routes.ts'
import { preservationRoutes } from './http/preservation-routes.ts'
import { wordRoutes } from './http/word-routes.ts'
import { createModeratorTools, type DeriveKey } from './moderator-tools.ts'
import { createPreservationVault } from './preservation-vault.ts'
import { createConsoleRecords } from './records/console-records.ts'
import { createConsoleDesk } from './rules/desk.ts'
import { createModeratorAccounts } from './rules/moderator-accounts.ts'
import { createModeratorLogins } from './rules/moderator-logins.ts'
import { createNoticeDesk } from './rules/notice-desk.ts'
import { createPreservationDesk } from './rules/preservation-desk.ts'
import { createWordDesk } from './rules/word-desk.ts'

const RECEIPT_BYTES = 6

type Deps = {
  moderation: Pick<Moderation, 'decide' | 'banMinor' | 'liftMinorBan'>
  profiles: Pick<Profiles, 'find' | 'correctBirth'>
  evidence: Pick<Evidence, 'read'>
  contentNotices: ContentNotices
  refusedWords: RefusedWords
  /** Resolves with the interests that are offered to everybody. */
  suggest: () => Promise<string[]>
  records: { cases: Cases; risks: Risks; evidence: EvidenceRecords; signals: Signals }
  /** Replaces the costly function that computes keys of passwords. */
  deriveKey: DeriveKey | undefined
}

/** The console: moderators' accounts and logins, their desk, and the endpoints. */
export function composeConsole(platform: Platform, deps: Deps) {
  const { moderation, profiles, evidence, contentNotices, refusedWords, suggest, records, deriveKey } = deps
  const { config, secrets, clock, newId, counts, database, http } = platform
  const { moderators, audit, desk, preservations, caseFacts } = database.records(createConsoleRecords)
  const { cases, risks, signals } = records
  const readEvidence = { read: evidence.read, list: records.evidence.list }
  const accounts = { moderators, audit, tools: createModeratorTools(moderatorKey(secrets), deriveKey), clock, newId }
  const logins = createModeratorLogins({ ...accounts, counts })
  const consoleDesk = createConsoleDesk({
    desk,
    cases,
    risks,
    signals,
    evidence: readEvidence,
    decide: moderation.decide,
    banMinor: moderation.banMinor,
    liftMinorBan: moderation.liftMinorBan,
    profiles,
    audit,
    clock,
    policy: config.moderation,
  })
  const noticeDesk = createNoticeDesk({ records: contentNotices, audit, clock, sendsEmail: config.smtp !== null })
  const wordDesk = createWordDesk({ records: refusedWords, suggest, audit, clock })
  const preservationDesk = createPreservationDesk({
    records: preservations,
    facts: caseFacts,
    evidence: readEvidence,
    vault: createPreservationVault(secrets.evidence),
    audit,
    clock,
    newId,
    randomHex: () => randomBytes(RECEIPT_BYTES).toString('hex'),
  })
  const cookies = createConsoleCookies(http.secureCookies)

  return {
    audit,
    /** The operator's commands about moderators' accounts. */
    moderatorAccounts: createModeratorAccounts(accounts),

    /** Registers the console's endpoints. */
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
        groups: [
          (endpoint) => loginRoutes(endpoint, logins, cookies),
          (endpoint) => caseRoutes(endpoint, consoleDesk),
          (endpoint) => contentNoticeRoutes(endpoint, noticeDesk),
          (endpoint) => wordRoutes(endpoint, wordDesk),
          (endpoint) => preservationRoutes(endpoint, preservationDesk),
        ],
      }),
  }
}
