import type { BlockState } from '#protocol/start.ts'
import type { UserEndpoint } from '../accounts/http/login.ts'
import type { AliasOf } from '../accounts/rules/alias.ts'
import type { Account, Accounts } from '../accounts/rules/ports.ts'
import type { Relations } from '../matching/rules/ports.ts'
import type { SecurityLog } from '../operations/security-log.ts'
import { Background } from '../platform/background.ts'
import { keyedDigest } from '../platform/crypto.ts'
import { openEmail } from '../platform/email/open-email.ts'
import type { Platform } from '../platform/platform.ts'
import { createEvidenceVault } from './evidence-vault.ts'
import { moderationRoutes } from './http/moderation-routes.ts'
import { createModerationRecords } from './records/moderation-records.ts'
import { createEmailSender } from './rules/email-outbox.ts'
import { createEvidence, withEvidence } from './rules/evidence.ts'
import { createModeration } from './rules/moderation.ts'
import { CALLERS_MAX, withRememberedCallers } from './rules/outside-calls.ts'

/** Period of the upkeep job: a deadline takes effect at most this late. */
const UPKEEP_MS = 60_000
/** Period of the email job: an email that is due waits at most this long. */
const EMAIL_MS = 30_000

type Deps = {
  accounts: Accounts
  relations: Relations
  aliasOf: AliasOf
  security: Pick<SecurityLog, 'record'>
  /** Closes the hub connections of an account and ends its match. */
  disconnect: (accountId: string) => void
  statusChanged: (accountId: string) => void
}

/** Composes status, reports, cases, appeals, evidence, and the emails about them. */
export async function composeModeration(
  platform: Platform,
  { accounts, relations, aliasOf, security, disconnect, statusChanged }: Deps,
) {
  const { app, config, secrets, clock, newId, log, database, jobs, ownOrigins } = platform
  const records = database.records(createModerationRecords)
  const background = new Background(log.child({ part: 'moderation' }), clock)
  const runInBackground = background.run.bind(background)
  const vault = createEvidenceVault(secrets.evidence)
  const evidence = createEvidence({ records: records.evidence, vault, clock, newId, runInBackground })
  const keptCalls = withRememberedCallers(records.keptCalls, clock, runInBackground)
  const cases = createModeration({
    accounts,
    relations,
    ...records,
    keptCalls,
    clock,
    policy: config.moderation,
    // A separate key, so that these digests cannot be compared with any others.
    digest: keyedDigest(keyedDigest(secrets.alias)('moderation')),
    onChanged: statusChanged,
    onSuspended(account) {
      security.record({ event: 'account-suspended', account })
      disconnect(account)
    },
    sendEmail: config.smtp !== null,
  })
  const moderation = withEvidence(cases, { evidence, records: records.evidence, runInBackground })

  const blockState = async ({ id, status }: Account): Promise<BlockState> => ({
    status,
    case: await moderation.blockCase(id),
    notice: await records.cases.notice(id),
  })

  jobs.every('moderation: upkeep', UPKEEP_MS, () => moderation.runUpkeep())
  if (config.smtp !== null) {
    const transport = await openEmail(config.smtp)
    const origin = () => ownOrigins()[0] ?? ''
    const sendEmails = createEmailSender({ outbox: records.outbox, accounts, transport, clock, origin })
    jobs.every('moderation: sending emails', EMAIL_MS, sendEmails)
  }
  app.addHook('onReady', async () => {
    await Promise.all([evidence.sweep(), keptCalls.callers(CALLERS_MAX)])
  })
  app.addHook('onClose', async () => {
    evidence.stop()
    await background.settled()
  })

  return {
    rules: moderation,
    evidence,
    records,
    blockState,
    endpoints: (endpoint: UserEndpoint) =>
      moderationRoutes(endpoint, { accounts, cases: records.cases, relations, moderation, aliasOf, blockState }),
  }
}
