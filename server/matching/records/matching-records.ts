import { sql } from 'kysely'
import type { Role } from '#protocol/hub.ts'
import type { Database } from '../../platform/database/database.ts'
import { gathered } from '../../platform/rules/gathered.ts'
import type { MatchRecord, MatchRecords, Partners } from '../rules/ports.ts'
import { createRelations } from './relations.ts'

async function writeMatches(db: Database, matches: readonly MatchRecord[]) {
  await db
    .insertInto('liveSessions')
    .values(
      matches.map((match) => ({
        ...match,
        connected: Number(match.connected),
        callerSawAt: null,
        calleeSawAt: null,
        answeredAt: null,
        endedAt: null,
      })),
    )
    // The row may exist: a write whose result was lost is repeated.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return () => undefined
}

type Confirmation = { id: string; role: Role; at: number }

async function writeConfirmations(db: Database, confirmations: readonly Confirmation[]) {
  for (const [role, own = []] of Object.entries(Object.groupBy(confirmations, (one) => one.role))) {
    const byId = new Map(own.map(({ id, at }) => [id, at]))
    const times = [...byId].map(([id, at]) => sql`when ${id} then cast(${at} as bigint)`)
    const at = sql<number>`case id ${sql.join(times, sql` `)} end`
    await db
      .updateTable('liveSessions')
      .set(role === 'Caller' ? { callerSawAt: at, connected: 1 } : { calleeSawAt: at })
      .where('id', 'in', [...byId.keys()])
      .execute()
  }
  return () => undefined
}

function createMatchRecords(db: Database): MatchRecords {
  const confirm = gathered({
    // One statement at a time: the users of a match confirm at about the same time, and two statements could deadlock.
    atOnce: 1,
    ask: (confirmations: readonly Confirmation[]) => writeConfirmations(db, confirmations),
  })
  return {
    open: gathered({ ask: (matches: readonly MatchRecord[]) => writeMatches(db, matches) }),

    confirm: (id, role, at) => confirm({ id, role, at }),

    async close(id, at, answeredAt) {
      await db
        .updateTable('liveSessions')
        .set({ endedAt: at, answeredAt })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .execute()
    },

    async all() {
      const rows = await db
        .selectFrom('liveSessions')
        .select(['id', 'caller', 'callee', 'startedAt', 'connected'])
        .where('endedAt', 'is', null)
        .execute()
      return rows.map((row) => ({ ...row, connected: row.connected === 1 }))
    },

    async find(id) {
      const row = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callee', 'startedAt', 'endedAt', 'callerSawAt', 'calleeSawAt', 'answeredAt'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      const { callerSawAt, calleeSawAt, answeredAt, ...match } = row
      const wasSeen = callerSawAt !== null || calleeSawAt !== null
      return { ...match, callFrom: answeredAt ?? (wasSeen ? match.startedAt : null) }
    },
  }
}

function createPartners(db: Database): Partners {
  return {
    async partnerIn(matchId, accountId) {
      const row = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callee'])
        .where('id', '=', matchId)
        .where('endedAt', 'is', null)
        .executeTakeFirst()
      if (row?.caller === accountId) return row.callee
      return row?.callee === accountId ? row.caller : null
    },
  }
}

export function createMatchingRecords(db: Database) {
  return { relations: createRelations(db), matchRecords: createMatchRecords(db), partners: createPartners(db) }
}
