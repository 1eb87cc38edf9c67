import { DAY_MS } from '#protocol/durations.ts'
import type { Database } from '../../platform/database/database.ts'

/** How long after a ban a new account with the same network and kind of device is shown to moderators. */
const RECENT_MS = 7 * DAY_MS
/** Above what moderators read; a network with many new accounts, such as a dormitory's, must not fill the queue. */
const SHOWN_MAX = 50

/**
 * Selects new accounts that may chat, and whose network and kind of device are both those of a person who was banned within `RECENT_MS`
 * before the account was created, unless a moderator has decided about them. The newest come first. `at` is when the account was created.
 */
export function resemblances(db: Database, ids: readonly string[] | null) {
  return db
    .selectFrom('bannedSignals as network')
    .innerJoin('riskSignals as own', 'own.digest', 'network.digest')
    .innerJoin('accounts', 'accounts.id', 'own.accountId')
    .leftJoin('caseVersions', 'caseVersions.accountId', 'accounts.id')
    .select(['accounts.id', 'accounts.createdAt as at'])
    .distinct()
    .where('network.kind', '=', 'address')
    .whereRef('accounts.createdAt', '>', 'network.at')
    .where(({ eb }) => eb('accounts.createdAt', '<=', eb('network.at', '+', RECENT_MS)))
    .where('accounts.status', 'in', ['Valid', 'Warning'])
    .where('caseVersions.accountId', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('bannedSignals as device')
          .innerJoin('riskSignals as same', 'same.digest', 'device.digest')
          .select('device.digest')
          .whereRef('device.person', '=', 'network.person')
          .where('device.kind', '=', 'device')
          .whereRef('same.accountId', '=', 'own.accountId'),
      ),
    )
    .$if(ids !== null, (query) => query.where('accounts.id', 'in', ids ?? []))
    .orderBy('at', 'desc')
    .orderBy('accounts.id')
    .limit(SHOWN_MAX)
}
