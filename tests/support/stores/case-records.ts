import type { BlockStatus } from '#protocol/block-status.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { Database } from '../../../server/platform/database/database.ts'

/** Rows in one statement: SQLite binds at most 32,766 values. */
const ROWS = 1_000

type Person = { id: string; nickName?: string; email?: string; status?: BlockStatus; statusUntil?: number | null }

async function inParts<Row>(rows: readonly Row[], insert: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await insert(rows.slice(start, start + ROWS))
}

/** Adds accounts with profiles, created an hour apart, the last at `at`. */
export async function seedPeople(db: Database, people: readonly Person[], at: number): Promise<void> {
  await inParts(people, (part) =>
    db
      .insertInto('accounts')
      .values(
        part.map(({ id, email = `${id}@example.org`, status = 'Valid', statusUntil = null }, index) => ({
          id,
          provider: 'Google',
          subject: id,
          email,
          firstName: 'Ada',
          lastName: 'Lovelace',
          status,
          statusUntil,
          createdAt: at - index * HOUR_MS,
        })),
      )
      .execute(),
  )
  await inParts(people, (part) =>
    db
      .insertInto('profiles')
      .values(
        part.map(({ id, nickName = id }) => ({
          accountId: id,
          nickName,
          gender: 'girl',
          dateOfBirth: '1990-12-10',
          consentVersion: '1',
          consentAt: at,
          picture: null,
        })),
      )
      .execute(),
  )
}

type Report = { reporter: string; reported: string; at: number; callMs?: number | null }

/** Open reports, each of its own match. */
export async function seedReports(db: Database, reports: readonly Report[]): Promise<void> {
  await inParts(reports, (part) =>
    db
      .insertInto('reports')
      .values(
        part.map(({ reporter, reported, at, callMs = 60_000 }) => ({
          session: `${reporter}-${reported}-${at}`,
          reporter,
          reported,
          type: 'ReportOnly',
          callMs,
          reporterSaw: 1,
          reportedSaw: 1,
          keptCalls: 100,
          at,
          outcome: null,
          decidedAt: null,
        })),
      )
      .execute(),
  )
}

/** Adds an appeal sent at `at`. */
export async function seedAppeal(db: Database, accountId: string, at: number): Promise<void> {
  const change = { accountId, actorId: accountId, what: 'reports', rule: 'guidelines', reason: 'Appeal', at } as const
  const until = at + 10 * DAY_MS
  await db
    .insertInto('statusChanges')
    .values({ ...change, fromStatus: 'Appeal', status: 'InReview', actorKind: 'user', until })
    .execute()
  await db.updateTable('accounts').set({ status: 'InReview', statusUntil: until }).where('id', '=', accountId).execute()
}

export async function seedFinding(db: Database, accountId: string, at: number): Promise<void> {
  await db
    .insertInto('findings')
    .values({ accountId, session: 's', label: 'explicit', score: 0.97, at, outcome: null, decidedAt: null })
    .execute()
}
