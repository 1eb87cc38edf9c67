import type { Database } from '../../platform/database/database.ts'
import { gathered } from '../../platform/rules/gathered.ts'
import type { Relations } from '../rules/ports.ts'

/** An account, and another account that it has met or blocked, or that has blocked it. */
type Relation = { of: string; other: string }

function othersIn(rows: readonly Relation[]): (accountId: string) => string[] {
  const byAccount = Map.groupBy(rows, ({ of }) => of)
  return (accountId) => (byAccount.get(accountId) ?? []).map(({ other }) => other)
}

async function readBlocks(db: Database, ids: readonly string[]) {
  const rows = await db
    .selectFrom('blocks')
    .select(['by as of', 'whom as other'])
    .where('by', 'in', [...ids])
    .union(
      db
        .selectFrom('blocks')
        .select(['whom as of', 'by as other'])
        .where('whom', 'in', [...ids]),
    )
    .execute()
  return othersIn(rows)
}

async function readMeetings(db: Database, ids: readonly string[]) {
  const rows = await db
    .selectFrom('meetings')
    .select(['first as of', 'second as other'])
    .where('first', 'in', [...ids])
    .union(
      db
        .selectFrom('meetings')
        .select(['second as of', 'first as other'])
        .where('second', 'in', [...ids]),
    )
    .execute()
  return othersIn(rows)
}

type Meeting = { first: string; second: string; at: number }

async function writeMeetings(db: Database, meetings: readonly Meeting[]) {
  // A statement cannot write a row twice: the last meeting of a pair counts. All statements lock their rows in the same order.
  const byPair = new Map(meetings.map((meeting) => [`${meeting.first} ${meeting.second}`, meeting]))
  const pairs = [...byPair.keys()].sort()
  await db
    .insertInto('meetings')
    .values(pairs.flatMap((pair) => byPair.get(pair) ?? []))
    .onConflict((conflict) =>
      conflict.columns(['first', 'second']).doUpdateSet({ at: (row) => row.ref('excluded.at') }),
    )
    .execute()
  return () => undefined
}

export function createRelations(db: Database): Relations {
  const record = gathered({ ask: (meetings: readonly Meeting[]) => writeMeetings(db, meetings) })
  return {
    blockedWith: gathered({ ask: (ids: readonly string[]) => readBlocks(db, ids) }),

    metBy: gathered({ ask: (ids: readonly string[]) => readMeetings(db, ids) }),

    recordMet(a, b, at) {
      const [first, second] = a < b ? [a, b] : [b, a]
      return record({ first, second, at })
    },

    async block(by, whom, at) {
      await db
        .insertInto('blocks')
        .values({ by, whom, at })
        .onConflict((conflict) => conflict.columns(['by', 'whom']).doNothing())
        .execute()
    },
  }
}
