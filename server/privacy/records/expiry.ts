import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { hasNoHold, heldAccounts, isPartOfHeld } from '../../platform/database/held.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { Expiry } from '../rules/ports.ts'
import type { KeptUntilOld } from '../rules/retention.ts'

/** Statuses for which reports and findings are kept, like those of an open case; a warning is based on them too. */
const caseIsOpen = ['Warning', 'Appeal', 'InReview'] as const

const heldLoginSessions = (db: Database) =>
  db.selectFrom('userSessions').select('id').where('ownerId', 'in', heldAccounts(db))

/** True for a row whose account in this column has no open case. */
const hasNoOpenCase = (db: Database, column: 'reports.reported' | 'findings.accountId') =>
  expressionBuilder<Tables, 'reports' | 'findings'>().exists(
    db
      .selectFrom('accounts')
      .select('accounts.id')
      .where(sql.ref('accounts.id'), '=', sql.ref(column))
      .where('accounts.status', 'not in', caseIsOpen),
  )

/** The records of one kind: a table, its primary key, and the condition under which a row may be removed. */
type Kind = {
  table: keyof Tables
  key: readonly string[]
  isExpired: (db: Database, before: number) => Expression<SqlBool>
}

/** A row may be removed if all `conditions` hold; they exclude rows that a legal hold keeps. */
function kind<T extends keyof Tables>(
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  conditions: (row: ExpressionBuilder<Tables, T>, before: number, db: Database) => Expression<SqlBool>[],
): Kind {
  const row = expressionBuilder<Tables, T>()
  return { table, key, isExpired: (db, before) => row.and(conditions(row, before, db)) }
}

const kinds: Record<KeptUntilOld, Kind> = {
  'log-entries': kind('logEntries', ['id'], (row, before, db) => [
    row('at', '<', before),
    row('session', 'not in', heldLoginSessions(db)),
  ]),

  'log-batches': kind('logBatches', ['session', 'key'], (row, before) => [row('at', '<', before)]),

  frames: kind('frames', ['id'], (row, before, db) => [
    row('at', '<', before),
    row('accountId', 'not in', heldAccounts(db)),
  ]),

  'match-records': kind('liveSessions', ['id'], (row, before, db) => [
    row('endedAt', '<', before),
    hasNoHold(db, 'liveSessions'),
  ]),

  'refresh-tokens': kind('refreshTokens', ['digest'], (row, before) => [row('expiresAt', '<=', before)]),

  'unentered-login-sessions': kind('userSessions', ['id'], (row, before) => [
    row('createdAt', '<', before),
    row('enteredAt', 'is', null),
    row('ownerId', 'is', null),
  ]),

  'anonymous-login-sessions': kind('userSessions', ['id'], (row, before) => [
    row('createdAt', '<', before),
    row('ownerId', 'is', null),
  ]),

  'old-login-sessions': kind('userSessions', ['id'], (row, before, db) => [
    row('createdAt', '<', before),
    row('ownerId', 'is not', null),
    row('ownerId', 'not in', heldAccounts(db)),
    row.or([row('attachedAt', 'is', null), row('attachedAt', '<', before)]),
    // A refresh token refers to its login session, which must exist.
    row.not(
      row.exists(
        db
          .selectFrom('refreshTokens')
          .select('digest')
          .whereRef('refreshTokens.sessionId', '=', sql.ref('userSessions.id')),
      ),
    ),
  ]),

  'ip-details': kind('ipDetails', ['sessionId'], (row, before, db) => [
    row.exists(
      db
        .selectFrom('userSessions')
        .select('userSessions.id')
        .where(sql.ref('userSessions.id'), '=', sql.ref('ipDetails.sessionId'))
        .where((session) => session(session.fn.coalesce('attachedAt', 'createdAt'), '<', before)),
    ),
    row('sessionId', 'not in', heldLoginSessions(db)),
  ]),

  meetings: kind('meetings', ['first', 'second'], (row, before, db) => [
    row('at', '<', before),
    hasNoHold(db, 'meetings'),
  ]),

  reports: kind('reports', ['session', 'reporter'], (row, before, db) => [
    row('at', '<', before),
    row('outcome', 'is', null),
    hasNoOpenCase(db, 'reports.reported'),
    hasNoHold(db, 'reports'),
  ]),

  'decided-reports': kind('reports', ['session', 'reporter'], (row, before, db) => [
    row('decidedAt', '<', before),
    hasNoOpenCase(db, 'reports.reported'),
    hasNoHold(db, 'reports'),
  ]),

  findings: kind('findings', ['id'], (row, before, db) => [
    row('at', '<', before),
    hasNoOpenCase(db, 'findings.accountId'),
    row('accountId', 'not in', heldAccounts(db)),
  ]),

  emails: kind('outbox', ['id'], (row, before, db) => [
    row('createdAt', '<', before),
    row('accountId', 'not in', heldAccounts(db)),
  ]),

  'moderation-decisions': kind('moderationDecisions', ['id'], (row, before) => [row('at', '<', before)]),

  'moderation-audit': kind('moderationAudit', ['id'], (row, before, db) => [
    row('at', '<', before),
    row.or([row('whom', 'is', null), row('whom', 'not in', heldAccounts(db))]),
  ]),

  'erased-accounts': kind('accounts', ['id'], (row, before, db) => [
    row('erasedAt', '<', before),
    row.not(isPartOfHeld(db, 'accounts.id')),
  ]),

  'kept-cases': kind('keptCases', ['person'], (row, before) => [
    row('expiresAt', '<=', before),
    // A kept case that is attached to a new account waits for a moderator's decision.
    row('accountId', 'is', null),
  ]),

  'kept-reports': kind('keptReports', ['session', 'person'], (row, before) => [
    row(row.fn.coalesce('decidedAt', 'at'), '<', before),
  ]),

  'kept-blocks': kind('keptBlocks', ['byPerson', 'whomPerson'], (row, before) => [
    row('keptAt', '<', before),
    row('byAccount', 'is', null),
  ]),

  'content-notices': kind('contentNotices', ['id'], (row, before) => [row('answeredAt', '<', before)]),

  preservations: kind('preservations', ['id'], (row, before) => [row('keptFrom', '<', before)]),

  'deletion-requests': kind('deletionRequests', ['id'], (row, before) => [row('endedAt', '<', before)]),
}

/** Deletes at most `limit` expired rows of a kind and returns their number. */
async function removeBatch(db: Database, { table, key, isExpired }: Kind, before: number, limit: number) {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const batch = sql`select ${columns} from ${sql.table(table)} where ${isExpired(db, before)} limit ${limit}`
  const removed = await db.deleteFrom(table).where(sql<boolean>`(${columns}) in (${batch})`).executeTakeFirst()
  return Number(removed.numDeletedRows)
}

export function createExpiry(db: Database): Expiry {
  return { remove: (kind, before, limit) => removeBatch(db, kinds[kind], before, limit) }
}
