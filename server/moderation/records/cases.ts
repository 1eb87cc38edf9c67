import type { Transaction } from 'kysely'
import * as v from 'valibot'
import { blockStatusSchema, caseNoticeSchema, causeSchema, ruleSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { CaseOutcome, Cases, ChangeEffects, StatusChange } from '../rules/ports.ts'

const changeSchema = v.object({
  accountId: v.string(),
  fromStatus: blockStatusSchema,
  status: blockStatusSchema,
  actorKind: v.picklist(['policy', 'classifier', 'user', 'moderator', 'age', 'ban', 'earlier-case', 'time']),
  actorId: v.nullable(v.string()),
  what: causeSchema,
  rule: ruleSchema,
  reason: v.string(),
  at: v.number(),
  until: v.nullable(v.number()),
})

function changeOf(row: unknown): StatusChange {
  const { fromStatus, status, actorKind, actorId, ...rest } = parse(changeSchema, row)
  return { ...rest, from: fromStatus, to: status, by: { kind: actorKind, id: actorId } }
}

async function close(
  transaction: Transaction<Tables>,
  accountId: string,
  outcome: CaseOutcome,
  decidedAt: number,
): Promise<void> {
  const closed = { outcome, decidedAt }
  await transaction
    .updateTable('reports')
    .set(closed)
    .where('reported', '=', accountId)
    .where('outcome', 'is', null)
    .where('at', '<=', decidedAt)
    .execute()
  await transaction
    .updateTable('findings')
    .set(closed)
    .where('accountId', '=', accountId)
    .where('outcome', 'is', null)
    .where('at', '<=', decidedAt)
    .execute()
  // The reporters of these have deleted their accounts. What remains of a report is that it was wrong.
  if (outcome === 'dismissed')
    await transaction
      .updateTable('keptReports')
      .set(closed)
      .where('reported', '=', accountId)
      .where('outcome', 'is', null)
      .where('at', '<=', decidedAt)
      .execute()
  else
    await transaction
      .deleteFrom('keptReports')
      .where('reported', '=', accountId)
      .where('outcome', 'is', null)
      .where('at', '<=', decidedAt)
      .execute()
  await transaction.deleteFrom('keptCases').where('accountId', '=', accountId).execute()
}

/** Stores the block and the person's risk signals, beyond the account's life. */
async function ban(
  transaction: Transaction<Tables>,
  { accountId, by, rule, at }: StatusChange,
  effects: ChangeEffects,
): Promise<void> {
  const { person, signalsUntil } = effects
  const mailbox = by.kind === 'ban' ? null : effects.mailbox
  await transaction
    .insertInto('bans')
    .values({ person, mailbox, rule, at })
    .onConflict((conflict) => conflict.column('person').doUpdateSet({ mailbox, rule }))
    .execute()
  const signals = await transaction
    .selectFrom('riskSignals')
    .select(['kind', 'digest'])
    .where('accountId', '=', accountId)
    .execute()
  if (signals.length === 0) return
  await transaction
    .insertInto('bannedSignals')
    .values(signals.map((signal) => ({ ...signal, person, at, expiresAt: signalsUntil })))
    .onConflict((conflict) => conflict.columns(['person', 'kind', 'digest']).doUpdateSet({ expiresAt: signalsUntil }))
    .execute()
}

async function record(transaction: Transaction<Tables>, change: StatusChange): Promise<void> {
  const { from, to, by, ...rest } = change
  await transaction
    .insertInto('statusChanges')
    .values({ ...rest, fromStatus: from, status: to, actorKind: by.kind, actorId: by.id })
    .execute()
}

export function createCases(db: Database, newId: () => string): Cases {
  async function replaceNotice(
    transaction: Transaction<Tables>,
    { accountId, at }: StatusChange,
    effects: ChangeEffects,
  ): Promise<void> {
    const { notice: outcome, sendEmail } = effects
    // A notice about an earlier status is outdated.
    await transaction.deleteFrom('caseNotices').where('accountId', '=', accountId).execute()
    if (!outcome) return
    await transaction.insertInto('caseNotices').values({ accountId, outcome, at }).execute()
    if (!sendEmail) return
    await transaction
      .insertInto('outbox')
      .values({ id: newId(), accountId, outcome, attempts: 0, createdAt: at, nextAt: at })
      .execute()
  }

  return {
    change(change, effects) {
      return db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('accounts')
          .set({ status: change.to, statusUntil: change.until })
          .where('id', '=', change.accountId)
          .where('status', '=', change.from)
          .executeTakeFirst()
        if (changed.numUpdatedRows === 0n) return false
        await record(transaction, change)
        if (effects.closes) await close(transaction, change.accountId, effects.closes, change.at)
        if (change.to === 'Blocked') await ban(transaction, change, effects)
        else if (change.from === 'Blocked') {
          await transaction.deleteFrom('bannedSignals').where('person', '=', effects.person).execute()
          await transaction.deleteFrom('bans').where('person', '=', effects.person).execute()
        }
        await replaceNotice(transaction, change, effects)
        return true
      })
    },

    async close(accountId, outcome, at) {
      await db.transaction().execute((transaction) => close(transaction, accountId, outcome, at))
    },

    async history(accountId) {
      const rows = await db
        .selectFrom('statusChanges')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(changeOf)
    },

    async open(accountId) {
      const [reports, findings, earlier] = await Promise.all([
        db
          .selectFrom('reports')
          .select((build) => build.fn.countAll<number>().as('count'))
          .where('reported', '=', accountId)
          .where('outcome', 'is', null)
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('findings')
          .select((build) => build.fn.countAll<number>().as('count'))
          .where('accountId', '=', accountId)
          .where('outcome', 'is', null)
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('keptCases')
          .select(['reports', 'findings'])
          .where('accountId', '=', accountId)
          .executeTakeFirst(),
      ])
      return {
        reports: Number(reports.count) + (earlier?.reports ?? 0),
        findings: Number(findings.count) + (earlier?.findings ?? 0),
      }
    },

    async due(now) {
      const rows = await db.selectFrom('accounts').select('id').where('statusUntil', '<=', now).execute()
      return rows.map(({ id }) => id)
    },

    async notice(accountId) {
      const row = await db
        .selectFrom('caseNotices')
        .select(['outcome', 'at'])
        .where('accountId', '=', accountId)
        .executeTakeFirst()
      return row ? parse(caseNoticeSchema, row) : null
    },

    async seeNotice(accountId) {
      await db.deleteFrom('caseNotices').where('accountId', '=', accountId).execute()
    },
  }
}
