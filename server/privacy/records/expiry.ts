import type { Database } from '../../platform/database/database.ts'
import type { Expiry } from '../rules/ports.ts'
import type { KeptUntilOld } from '../rules/retention.ts'
import { heldAccounts, isPartOfHeld, ofNobodyHeld } from './held.ts'

/** A warning stands on its reports and findings too. */
const caseIsOpen = ['Warning', 'Appeal', 'InReview'] as const

const heldSessions = (db: Database) =>
  db.selectFrom('userSessions').select('id').where('ownerId', 'in', heldAccounts(db))

/** How one batch of each kind goes: the oldest first where there is an index for it, never more than `limit`, nor what a legal hold keeps. */
type Removal = (db: Database, before: number, limit: number) => Promise<{ numDeletedRows: bigint }>

/** Reports whose person has no open case. */
const closedReports = (db: Database) =>
  db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.reported')
    .select(['session', 'reporter'])
    .where('accounts.status', 'not in', caseIsOpen)
    .where(ofNobodyHeld(db, 'reports'))

const removals: Record<KeptUntilOld, Removal> = {
  'log-entries': (db, before, limit) =>
    db
      .deleteFrom('logEntries')
      .where(
        'id',
        'in',
        db
          .selectFrom('logEntries')
          .select('id')
          .where('at', '<', before)
          .where('session', 'not in', heldSessions(db))
          .limit(limit),
      )
      .executeTakeFirst(),

  'log-batches': (db, before, limit) =>
    db
      .deleteFrom('logBatches')
      .where(({ eb, refTuple }) =>
        eb(
          refTuple('session', 'key'),
          'in',
          eb
            .selectFrom('logBatches')
            .select(['session', 'key'])
            .where('at', '<', before)
            .limit(limit)
            .$asTuple('session', 'key'),
        ),
      )
      .executeTakeFirst(),

  frames: (db, before, limit) =>
    db
      .deleteFrom('frames')
      .where(
        'id',
        'in',
        db
          .selectFrom('frames')
          .select('id')
          .where('at', '<', before)
          .where('accountId', 'not in', heldAccounts(db))
          .limit(limit),
      )
      .executeTakeFirst(),

  'live-sessions': (db, before, limit) =>
    db
      .deleteFrom('liveSessions')
      .where(
        'id',
        'in',
        db
          .selectFrom('liveSessions')
          .select('id')
          .where('endedAt', '<', before)
          .where(ofNobodyHeld(db, 'liveSessions'))
          .limit(limit),
      )
      .executeTakeFirst(),

  'refresh-tokens': (db, before, limit) =>
    db
      .deleteFrom('refreshTokens')
      .where(
        'digest',
        'in',
        db.selectFrom('refreshTokens').select('digest').where('expiresAt', '<=', before).limit(limit),
      )
      .executeTakeFirst(),

  'unentered-sessions': (db, before, limit) =>
    db
      .deleteFrom('userSessions')
      .where(
        'id',
        'in',
        db
          .selectFrom('userSessions')
          .select('id')
          .where('createdAt', '<', before)
          .where('enteredAt', 'is', null)
          .where('ownerId', 'is', null)
          .limit(limit),
      )
      .executeTakeFirst(),

  'anonymous-sessions': (db, before, limit) =>
    db
      .deleteFrom('userSessions')
      .where(
        'id',
        'in',
        db
          .selectFrom('userSessions')
          .select('id')
          .where('createdAt', '<', before)
          .where('ownerId', 'is', null)
          .limit(limit),
      )
      .executeTakeFirst(),

  'old-sessions': (db, before, limit) =>
    db
      .deleteFrom('userSessions')
      .where(
        'id',
        'in',
        db
          .selectFrom('userSessions')
          .select('id')
          .where('createdAt', '<', before)
          .where('ownerId', 'is not', null)
          .where('ownerId', 'not in', heldAccounts(db))
          .where((build) => build.or([build('attachedAt', 'is', null), build('attachedAt', '<', before)]))
          // A live login names its session, which must be there.
          .where((build) =>
            build.not(
              build.exists(
                build
                  .selectFrom('refreshTokens')
                  .select('digest')
                  .whereRef('refreshTokens.sessionId', '=', 'userSessions.id'),
              ),
            ),
          )
          .limit(limit),
      )
      .executeTakeFirst(),

  'ip-details': (db, before, limit) =>
    db
      .deleteFrom('ipDetails')
      .where(
        'sessionId',
        'in',
        db
          .selectFrom('ipDetails')
          .innerJoin('userSessions', 'userSessions.id', 'ipDetails.sessionId')
          .select('ipDetails.sessionId')
          .where((build) => build(build.fn.coalesce('attachedAt', 'createdAt'), '<', before))
          .where('ipDetails.sessionId', 'not in', heldSessions(db))
          .limit(limit),
      )
      .executeTakeFirst(),

  meetings: (db, before, limit) =>
    db
      .deleteFrom('meetings')
      .where(({ eb, refTuple }) =>
        eb(
          refTuple('first', 'second'),
          'in',
          eb
            .selectFrom('meetings')
            .select(['first', 'second'])
            .where('at', '<', before)
            .where(ofNobodyHeld(db, 'meetings'))
            .limit(limit)
            .$asTuple('first', 'second'),
        ),
      )
      .executeTakeFirst(),

  reports: (db, before, limit) =>
    db
      .deleteFrom('reports')
      .where(({ eb, refTuple }) =>
        eb(
          refTuple('session', 'reporter'),
          'in',
          closedReports(db)
            .where('at', '<', before)
            .where('outcome', 'is', null)
            .limit(limit)
            .$asTuple('session', 'reporter'),
        ),
      )
      .executeTakeFirst(),

  'decided-reports': (db, before, limit) =>
    db
      .deleteFrom('reports')
      .where(({ eb, refTuple }) =>
        eb(
          refTuple('session', 'reporter'),
          'in',
          closedReports(db).where('decidedAt', '<', before).limit(limit).$asTuple('session', 'reporter'),
        ),
      )
      .executeTakeFirst(),

  findings: (db, before, limit) =>
    db
      .deleteFrom('findings')
      .where(
        'id',
        'in',
        db
          .selectFrom('findings')
          .innerJoin('accounts', 'accounts.id', 'findings.accountId')
          .select('findings.id')
          .where('at', '<', before)
          .where('accounts.status', 'not in', caseIsOpen)
          .where('accountId', 'not in', heldAccounts(db))
          .limit(limit),
      )
      .executeTakeFirst(),

  letters: (db, before, limit) =>
    db
      .deleteFrom('outbox')
      .where(
        'id',
        'in',
        db
          .selectFrom('outbox')
          .select('id')
          .where('createdAt', '<', before)
          .where('accountId', 'not in', heldAccounts(db))
          .limit(limit),
      )
      .executeTakeFirst(),

  'moderation-decisions': (db, before, limit) =>
    db
      .deleteFrom('moderationDecisions')
      .where('id', 'in', db.selectFrom('moderationDecisions').select('id').where('at', '<', before).limit(limit))
      .executeTakeFirst(),

  'moderation-audit': (db, before, limit) =>
    db
      .deleteFrom('moderationAudit')
      .where(
        'id',
        'in',
        db
          .selectFrom('moderationAudit')
          .select('id')
          .where('at', '<', before)
          .where((build) => build.or([build('whom', 'is', null), build('whom', 'not in', heldAccounts(db))]))
          .limit(limit),
      )
      .executeTakeFirst(),

  'erased-accounts': (db, before, limit) =>
    db
      .deleteFrom('accounts')
      .where(
        'id',
        'in',
        db
          .selectFrom('accounts')
          .select('id')
          .where('erasedAt', '<', before)
          .where((build) => build.not(isPartOfHeld(db, 'accounts.id')))
          .limit(limit),
      )
      .executeTakeFirst(),

  'kept-cases': (db, before, limit) =>
    db
      .deleteFrom('keptCases')
      .where(
        'person',
        'in',
        db
          .selectFrom('keptCases')
          .select('person')
          .where('expiresAt', '<=', before)
          // At an account that came back it waits for moderators.
          .where('accountId', 'is', null)
          .limit(limit),
      )
      .executeTakeFirst(),

  'deletion-requests': (db, before, limit) =>
    db
      .deleteFrom('deletionRequests')
      .where('id', 'in', db.selectFrom('deletionRequests').select('id').where('endedAt', '<', before).limit(limit))
      .executeTakeFirst(),
}

export function createExpiry(db: Database): Expiry {
  return {
    remove: async (kind, before, limit) => Number((await removals[kind](db, before, limit)).numDeletedRows),
  }
}
