import type { Database } from '../../platform/database/database.ts'
import { heldAccounts } from '../../platform/database/held.ts'
import type { RiskMatch, Risks } from '../rules/ports.ts'

export function createRisks(db: Database): Risks {
  return {
    async addSignals(accountId, signals, at) {
      for (const kind of ['address', 'device'] as const) {
        const digest = signals[kind]
        if (digest === null) continue
        await db
          .insertInto('riskSignals')
          .values({ accountId, kind, digest, at })
          .onConflict((conflict) => conflict.columns(['accountId', 'kind', 'digest']).doUpdateSet({ at }))
          .execute()
      }
    },

    async matches(accountId, now) {
      const rows = await db
        .selectFrom('riskSignals as own')
        .innerJoin('accounts', 'accounts.id', 'own.accountId')
        .innerJoin('bannedSignals as theirs', (join) =>
          join.onRef('theirs.digest', '=', 'own.digest').onRef('theirs.kind', '=', 'own.kind'),
        )
        .select(['theirs.person', 'theirs.kind'])
        .distinct()
        .where('own.accountId', '=', accountId)
        .where('theirs.expiresAt', '>', now)
        // Only accounts that were created after the block: an older account was not made to evade it.
        .whereRef('accounts.createdAt', '>', 'theirs.at')
        .execute()
      const found = new Map<string, RiskMatch>()
      for (const { person, kind } of rows) {
        const match = found.get(person) ?? { address: false, device: false }
        found.set(person, { ...match, [kind]: true })
      }
      return [...found.values()]
    },

    async findBan(person, mailbox) {
      const rows = await db
        .selectFrom('bans')
        .select('rule')
        .where((ban) => ban.or({ person, mailbox }))
        .execute()
      const rules = rows.map(({ rule }) => rule)
      // `adults-only` comes last, since a corrected date of birth ends such a block.
      return rules.find((rule) => rule !== 'adults-only') ?? rules[0] ?? null
    },

    async addBan(ban) {
      await db
        .insertInto('bans')
        .values(ban)
        .onConflict((conflict) => conflict.column('person').doNothing())
        .execute()
    },

    async deleteExpired(now, seenBefore) {
      await db
        .deleteFrom('riskSignals')
        .where('at', '<', seenBefore)
        .where('accountId', 'not in', heldAccounts(db))
        .execute()
      await db.deleteFrom('bannedSignals').where('expiresAt', '<=', now).execute()
    },
  }
}
