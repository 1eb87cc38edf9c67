import { type ExpressionBuilder, sql } from 'kysely'
import { KEPT_CALL_MS } from '../../matching/rules/match.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { KeptCalls } from '../rules/outside-calls.ts'

const isKept = (build: ExpressionBuilder<Tables, 'liveSessions'>) =>
  build.and([
    build('callerSawAt', 'is not', null),
    build('calleeSawAt', 'is not', null),
    build(build('endedAt', '-', build.ref('startedAt')), '>=', KEPT_CALL_MS),
  ])

export function createKeptCalls(db: Database): KeptCalls {
  const kept = () => db.selectFrom('liveSessions').where(isKept)
  return {
    async partnersOf(ids) {
      const rows = await kept()
        .select(['caller', 'callee'])
        .where((build) => build.or([build('caller', 'in', [...ids]), build('callee', 'in', [...ids])]))
        .execute()
      const partners = new Map(ids.map((id) => [id, new Set<string>()]))
      for (const { caller, callee } of rows) {
        partners.get(caller)?.add(callee)
        partners.get(callee)?.add(caller)
      }
      return partners
    },

    async originsOf(ids) {
      const [accounts, signals] = await Promise.all([
        db
          .selectFrom('accounts')
          .select(['id', 'provider', 'createdAt'])
          .where('id', 'in', [...ids])
          .orderBy('id')
          .execute(),
        db
          .selectFrom('riskSignals')
          .select(['accountId', 'digest'])
          .where('kind', '=', 'address')
          .where('accountId', 'in', [...ids])
          .execute(),
      ])
      const networks = Map.groupBy(signals, ({ accountId }) => accountId)
      return accounts.map((account) => ({
        ...account,
        networks: (networks.get(account.id) ?? []).map(({ digest }) => digest),
      }))
    },

    async callers(most) {
      const all = kept().select('caller as id').union(kept().select('callee as id'))
      const { count } = await db
        .selectFrom(all.limit(most).as('callers'))
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
