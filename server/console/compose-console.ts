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
import type { RefusedWords } from '../words/rules/refused-phrases.ts'
import { byModerator, type ConsoleEndpoint, createConsoleCookies, loginRoutes } from './http/login-routes.ts'
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

type Records = ReturnType<typeof createConsoleRecords>

/** The desks at which moderators work. What they do is in the audit. */
function createDesks(platform: Platform, deps: Deps, { audit, desk, preservations, caseFacts }: Records) {
  const { moderation, profiles, contentNotices, refusedWords, suggest } = deps
  const { config, secrets, clock, newId } = platform
  const evidence = { read: deps.evidence.read, list: deps.records.evidence.list }
  const record: RecordAction = ({ name, loginSessionId }, action, what, whom = null) =>
    audit.add({ at: clock.now(), moderator: name, session: loginSessionId, action, whom, what })
  const shared = { record, clock, evidence }
  const vault = createPreservationVault(secrets.evidence)
  const preserved = { records: preservations, facts: caseFacts, vault, newId, newReceipt: newReference }
  const { moderation: policy } = config
  return {
    cases: createConsoleDesk({ ...deps.records, ...shared, desk, moderation, profiles, policy }),
    notices: createNoticeDesk({ ...shared, records: contentNotices, sendsEmail: config.smtp !== null }),
    words: createWordDesk({ ...shared, records: refusedWords, suggest }),
    preservations: createPreservationDesk({ ...shared, ...preserved }),
  }
}

function deskRoutes(
  endpoint: ConsoleEndpoint,
  { cases, notices, words, preservations }: ReturnType<typeof createDesks>,
): void {
  endpoint('readQueue', ({ input: { kind, after } }) => cases.queue(kind, after))
  endpoint('readCase', ({ input, caller }) => cases.read(caller, input.id))
  endpoint('openEvidence', async ({ input, caller }) => {
    const jpeg = await cases.openEvidence(caller, input.caseId, input.id)
    return { jpeg: jpeg && Buffer.from(jpeg).toString('base64') }
  })
  endpoint('decide', ({ input, caller }) => cases.decide(caller, input))
  endpoint('correctBirth', ({ input, caller }) => cases.correctBirth(caller, input))
  endpoint('search', ({ input, caller }) => cases.search(caller, input.text))
  endpoint('readStatistics', () => cases.statistics())

  endpoint('readContentNotices', () => notices.queue())
  endpoint('openContentNotice', ({ input, caller }) => notices.open(caller, input.id))
  endpoint('answerContentNotice', ({ input, caller }) => notices.answer(caller, input))

  endpoint('readWords', () => words.read())
  endpoint('refuseWord', ({ input, caller }) => words.refuse(caller, input.word))
  endpoint('allowWord', ({ input, caller }) => words.allow(caller, input.word))

  endpoint('readPreservations', () => preservations.list())
  endpoint('preserveCase', ({ input, caller }) => preservations.preserve(caller, input))
  endpoint('openPreservation', ({ input, caller }) => preservations.open(caller, input.id))
  endpoint('judgePreservation', async ({ input, caller }) => ({
    preservation: await preservations.judge(caller, input),
  }))
  endpoint('exportPreservation', ({ input, caller }) => preservations.export(caller, input.id))
  endpoint('recordPreservationSent', ({ input, caller }) => preservations.setSent(caller, input))
}

export function composeConsole(platform: Platform, deps: Deps) {
  const { secrets, clock, newId, counts, database, http } = platform
  const records = database.records(createConsoleRecords)
  const { moderators, audit } = records
  const tools = createModeratorTools(moderatorKey(secrets), deps.deriveKey)
  const accounts = { moderators, audit, tools, clock, newId }
  const logins = createModeratorLogins({ ...accounts, counts })
  const cookies = createConsoleCookies(http.secureCookies)
  const desks = createDesks(platform, deps, records)

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
