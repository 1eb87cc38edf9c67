import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { changesRow, countRows } from '../../platform/database/row-counts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { CaseOutcome, Cases, ChangeEffects, StatusChange } from '../rules/ports.ts'

type Step = Transaction<Tables>

function changeOf(row: Selectable<Tables['statusChanges']>): StatusChange {
  const { id, fromStatus, status, actorKind, actorId, ...rest } = row
  return { ...rest, from: fromStatus, to: status, by: { kind: actorKind, id: actorId } }
}

async function close(step: Step, accountId: string, outcome: CaseOutcome, decidedAt: number): Promise<void> {
  const closed = { outcome, decidedAt }
  const waits = sql<SqlBool>`outcome is null and at <= ${decidedAt}`
  await step.updateTable('reports').set(closed).where('reported', '=', accountId).where(waits).execute()
  await step.updateTable('findings').set(closed).where('accountId', '=', accountId).where(waits).execute()
  // The reporters of kept reports have deleted their accounts. Only the dismissed reports are kept.
  if (outcome === 'dismissed')
    await step.updateTable('keptReports').set(closed).where('reported', '=', accountId).where(waits).execute()
  else await step.deleteFrom('keptReports').where('reported', '=', accountId).where(waits).execute()
  await step.deleteFrom('keptCases').where('accountId', '=', accountId).execute()
}

/** Stores the block and the person's risk signals, beyond the account's life. */
async function ban(
  step: Step,
  { accountId, by, rule, at }: StatusChange,
  { person, mailbox, signalsUntil: expiresAt }: ChangeEffects,
): Promise<void> {
  const block = { mailbox: by.kind === 'ban' ? null : mailbox, rule }
  await step
    .insertInto('bans')
    .values({ person, at, ...block })
    .onConflict((conflict) => conflict.column('person').doUpdateSet(block))
    .execute()
  const signals = await step
    .selectFrom('riskSignals')
    .select(['kind', 'digest'])
    .where('accountId', '=', accountId)
    .execute()
  if (signals.length === 0) return
  await step
    .insertInto('bannedSignals')
    .values(signals.map((signal) => ({ ...signal, person, at, expiresAt })))
    .onConflict((conflict) => conflict.columns(['person', 'kind', 'digest']).doUpdateSet({ expiresAt }))
    .execute()
}

async function liftBan(step: Step, { person }: ChangeEffects): Promise<void> {
  await step.deleteFrom('bannedSignals').where('person', '=', person).execute()
  await step.deleteFrom('bans').where('person', '=', person).execute()
}

async function replaceNotice(
  step: Step,
  { accountId, at }: StatusChange,
  { notice: outcome, sendEmail }: ChangeEffects,
  newId: () => string,
): Promise<void> {
  // A notice about an earlier status is outdated.
  await step.deleteFrom('caseNotices').where('accountId', '=', accountId).execute()
  if (!outcome) return
  await step.insertInto('caseNotices').values({ accountId, outcome, at }).execute()
  const email = { id: newId(), accountId, outcome, attempts: 0, createdAt: at, nextAt: at }
  if (sendEmail) await step.insertInto('outbox').values(email).execute()
}

export function createCases(db: Database, newId: () => string): Cases {
  return {
    change: (change, effects) =>
      db.transaction().execute(async (step) => {
        const { accountId, from, to, by, until, ...rest } = change
        const isChanged = await changesRow(
          step
            .updateTable('accounts')
            .set({ status: to, statusUntil: until })
            .where((account) => account.and({ id: accountId, status: from })),
        )
        if (!isChanged) return false
        const row = { ...rest, accountId, until, fromStatus: from, status: to, actorKind: by.kind, actorId: by.id }
        await step.insertInto('statusChanges').values(row).execute()
        if (effects.closes) await close(step, accountId, effects.closes, change.at)
        if (to === 'Blocked') await ban(step, change, effects)
        else if (from === 'Blocked') await liftBan(step, effects)
        await replaceNotice(step, change, effects, newId)
        return true
      }),

    close: (accountId, outcome, at) => db.transaction().execute((step) => close(step, accountId, outcome, at)),

    async history(accountId) {
      const changes = db.selectFrom('statusChanges').selectAll().where('accountId', '=', accountId)
      return (await changes.orderBy('id', 'desc').execute()).map(changeOf)
    },

    async open(accountId) {
      const [reports, findings, earlier] = await Promise.all([
        countRows(db.selectFrom('reports').where((row) => row.and({ reported: accountId, outcome: null }))),
        countRows(db.selectFrom('findings').where((row) => row.and({ accountId, outcome: null }))),
        db
          .selectFrom('keptCases')
          .select(['reports', 'findings'])
          .where('accountId', '=', accountId)
          .executeTakeFirst(),
      ])
      return { reports: reports + (earlier?.reports ?? 0), findings: findings + (earlier?.findings ?? 0) }
    },

    async due(now) {
      const rows = await db.selectFrom('accounts').select('id').where('statusUntil', '<=', now).execute()
      return rows.map(({ id }) => id)
    },

    async notice(accountId) {
      const notices = db.selectFrom('caseNotices').select(['outcome', 'at']).where('accountId', '=', accountId)
      return (await notices.executeTakeFirst()) ?? null
    },

    async seeNotice(accountId) {
      await db.deleteFrom('caseNotices').where('accountId', '=', accountId).execute()
    },
  }
}
