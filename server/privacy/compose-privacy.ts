import { DAY_MS } from '#protocol/durations.ts'
import type { DeletionWait } from '#protocol/start.ts'
import type { Cookies } from '../accounts/http/cookies.ts'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { AliasOf } from '../accounts/rules/alias.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import type { Signals } from '../frames/rules/ports.ts'
import type { EvidenceRecords } from '../moderation/rules/evidence-ports.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import { flagWindowMs } from '../moderation/rules/policy.ts'
import type { Platform } from '../platform/platform.ts'
import { facebookDeletion } from './http/facebook-deletion.ts'
import { myDataRoutes } from './http/my-data-routes.ts'
import { createPrivacyRecords } from './records/privacy-records.ts'
import { createDeletionService } from './rules/deletion.ts'
import { createHousekeeping } from './rules/housekeeping.ts'
import { keptByFeatures } from './rules/retention.ts'

type Deps = {
  accounts: Accounts
  aliasOf: AliasOf
  cookies: Cookies
  moderation: Pick<Moderation, 'keepCase'>
  evidence: Pick<EvidenceRecords, 'expire'>
  signals: Pick<Signals, 'expire'>
  /** Closes the hub connections of an account. */
  disconnect: (accountId: string) => void
}

/** Export, deletion, retention and legal holds. */
export function composePrivacy(platform: Platform, deps: Deps) {
  const { config, clock, database, jobs, ownOrigins } = platform
  const { accounts, aliasOf, cookies, moderation, evidence, signals, disconnect } = deps
  const log = platform.log.child({ part: 'housekeeping' })
  const records = database.records(createPrivacyRecords)
  const deletionService = createDeletionService({
    deletions: records.deletions,
    accounts,
    clock,
    delayDays: config.deletionDelayDays,
    disconnect,
    beforeErasure: [moderation.keepCase],
  })
  jobs.add(
    createHousekeeping({
      clock,
      everyMs: config.housekeepingMs,
      deletions: deletionService,
      expiry: records.expiry,
      countedMs: {
        reports: config.moderation.windowDays * DAY_MS,
        findings: flagWindowMs(config.moderation),
      },
      hooks: [
        { ...keptByFeatures.evidence, expire: evidence.expire },
        { ...keptByFeatures['frame-signals'], expire: signals.expire },
      ],
      done: (removed) => log.info({ removed }, 'retention: expired records removed'),
      fault: (what, error) => log.error({ err: error }, `retention: ${what} failed`),
    }),
  )
  const deletionWait = async (accountId: string): Promise<DeletionWait> => ({
    deletion: await records.deletions.pending(accountId),
    delayDays: deletionService.delayDays,
  })
  const http = {
    ...records,
    facebookSecret: config.providers.facebook?.appSecret ?? null,
    publicOrigin: () => ownOrigins()[0] ?? '',
    clock,
    aliasOf,
    deletionService,
    deletionWait,
  }
  const endpoints: UserEndpointGroup = async (endpoint, app) => {
    myDataRoutes(endpoint, http, cookies)
    await app.register(facebookDeletion, { deps: http })
  }
  return { deletions: records.deletions, deletionWait, legalHolds: records.legalHolds, endpoints }
}
