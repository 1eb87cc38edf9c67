import type { DeletionState } from '#protocol/deletion.ts'
import { deleteUntilNoneLeft } from '../../accounts/records/login-sessions.ts'
import type { Database } from '../../platform/database/database.ts'
import { belongsTo, hasNoHold, heldAccounts, isPartOfHeld, sharedTables } from '../../platform/database/held.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { DeletionCode, Deletions } from '../rules/ports.ts'

function isHeld(db: Database, accountId: string): Promise<boolean> {
  const query = db.selectFrom('legalHolds').select('accountId').where('accountId', '=', accountId)
  return query.executeTakeFirst().then((row) => row !== undefined)
}

async function findPending(db: Database, accountId: string) {
  const row = await db
    .selectFrom('deletionRequests')
    .select(['id', 'requestedAt', 'startAt', 'dueAt'])
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { id, ...times } = row
  return { id, deletion: { ...times, state: (await isHeld(db, accountId)) ? 'held' : 'waiting' } as const }
}

async function insertCode(db: Database, requestId: string, code: DeletionCode | null): Promise<void> {
  if (code)
    await db
      .insertInto('deletionCodes')
      .values({ ...code, requestId })
      .execute()
}

async function endLogins(db: Database, accountId: string): Promise<void> {
  await db
    .updateTable('userSessions')
    .set({ accountId: null })
    .where('ownerId', '=', accountId)
    .where('accountId', '=', accountId)
    .execute()
}

type Request = Parameters<Deletions['request']>

async function recordRequest(step: Database, id: string, [accountId, source, times, code]: Request) {
  await step.updateTable('accounts').set({ loginsSince: times.requestedAt }).where('id', '=', accountId).execute()
  await step
    .insertInto('deletionRequests')
    .values({ id, accountId, source, ...times, endedAt: null, outcome: null })
    .onConflict((conflict) => conflict.column('accountId').where('endedAt', 'is', null).doNothing())
    .execute()
  const pending = await findPending(step, accountId)
  if (!pending) throw new Error('the deletion request was not stored')
  await insertCode(step, pending.id, code)
  // Login sessions before tokens, the order of a token rotation: a concurrent rotation then finds that the login has ended.
  await endLogins(step, accountId)
  await deleteUntilNoneLeft(() =>
    step.deleteFrom('refreshTokens').where('accountId', '=', accountId).executeTakeFirst(),
  )
  // Ends the login of a sign-in that happened between the two statements above; its token is deleted.
  await endLogins(step, accountId)
  return pending.deletion
}

const ownTables = [
  'profiles',
  'preferences',
  'statusChanges',
  'refreshTokens',
  'frames',
  'frameSignals',
  'findings',
  'caseNotices',
  'outbox',
  'riskSignals',
  'repeats',
] as const

/**
 * Erases an account that is part of records which a legal hold on another account keeps: empties the account's row but
 * for its id, and deletes the account's own records and the shared records without a hold. Changes nothing and resolves
 * with false if there is no such hold.
 */
async function eraseExceptHeld(step: Database, accountId: string, at: number): Promise<boolean> {
  const emptied = { subject: `erased ${accountId}`, email: '', firstName: '', lastName: '' }
  const emptying = step
    .updateTable('accounts')
    .set({ ...emptied, status: 'Valid', statusUntil: null, erasedAt: at })
    .where('id', '=', accountId)
    .where(isPartOfHeld(step, 'accounts.id'))
  if (!(await changesRow(emptying))) return false
  for (const table of ownTables) await step.deleteFrom(table).where('accountId', '=', accountId).execute()
  await step.updateTable('keptCases').set({ accountId: null }).where('accountId', '=', accountId).execute()
  await step.updateTable('keptReports').set({ accountId: null }).where('accountId', '=', accountId).execute()
  await step.updateTable('keptReports').set({ reported: null }).where('reported', '=', accountId).execute()
  await step.updateTable('keptBlocks').set({ byAccount: null }).where('byAccount', '=', accountId).execute()
  await step.updateTable('keptBlocks').set({ whomAccount: null }).where('whomAccount', '=', accountId).execute()
  for (const table of sharedTables)
    await step.deleteFrom(table).where(belongsTo(accountId, table)).where(hasNoHold(step, table)).execute()
  await step.updateTable('deletionRequests').set({ accountId: null }).where('accountId', '=', accountId).execute()
  return true
}

/** Erases an account whose deletion is due and that has no legal hold. Resolves with false for any other account. */
async function eraseDue(step: Database, accountId: string, at: number): Promise<boolean> {
  const ending = step
    .updateTable('deletionRequests')
    .set({ endedAt: at, outcome: 'done' })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .where('startAt', '<=', at)
    .where('accountId', 'not in', heldAccounts(step))
  if (!(await changesRow(ending))) return false
  const loginSessions = step.selectFrom('userSessions').select('id').where('ownerId', '=', accountId)
  await step.deleteFrom('logEntries').where('session', 'in', loginSessions).execute()
  await step.deleteFrom('logBatches').where('session', 'in', loginSessions).execute()
  await step.deleteFrom('userSessions').where('ownerId', '=', accountId).execute()
  // Foreign keys delete all other records with the account's row.
  if (!(await eraseExceptHeld(step, accountId, at)))
    await step.deleteFrom('accounts').where('id', '=', accountId).execute()
  return true
}

export function createDeletions(db: Database, newId: () => string): Deletions {
  return {
    request: (...request) => db.transaction().execute((step) => recordRequest(step, newId(), request)),

    async recordNothing(source, at, code) {
      await db.transaction().execute(async (step) => {
        const id = newId()
        const times = { requestedAt: at, startAt: at, dueAt: at, endedAt: at }
        await step
          .insertInto('deletionRequests')
          .values({ id, accountId: null, source, ...times, outcome: 'done' })
          .execute()
        await insertCode(step, id, code)
      })
    },

    addCode(code) {
      return db.transaction().execute(async (step) => {
        const earlier = await step
          .selectFrom('deletionCodes')
          .select('requestId')
          .where('proof', '=', code.proof)
          .executeTakeFirst()
        if (!earlier) return false
        await insertCode(step, earlier.requestId, code)
        return true
      })
    },

    pending: async (accountId) => (await findPending(db, accountId))?.deletion ?? null,

    cancel: (accountId, at) =>
      changesRow(
        db
          .updateTable('deletionRequests')
          .set({ endedAt: at, outcome: 'cancelled' })
          .where('accountId', '=', accountId)
          .where('endedAt', 'is', null)
          .where('accountId', 'not in', heldAccounts(db)),
      ),

    async stateOf(codeDigest): Promise<DeletionState | null> {
      const row = await db
        .selectFrom('deletionCodes')
        .innerJoin('deletionRequests', 'deletionRequests.id', 'deletionCodes.requestId')
        .select(['accountId', 'outcome'])
        .where('deletionCodes.digest', '=', codeDigest)
        .executeTakeFirst()
      if (!row) return null
      if (row.outcome !== null) return row.outcome
      if (row.accountId === null) return 'done'
      return (await isHeld(db, row.accountId)) ? 'held' : 'waiting'
    },

    async ready(at, limit) {
      const rows = await db
        .selectFrom('deletionRequests')
        .select('accountId')
        .where('endedAt', 'is', null)
        .where('startAt', '<=', at)
        .where('accountId', 'not in', heldAccounts(db))
        .orderBy('startAt')
        .limit(limit)
        .execute()
      return rows.flatMap(({ accountId }) => accountId ?? [])
    },

    erase: (accountId, at) => db.transaction().execute((step) => eraseDue(step, accountId, at)),
  }
}
