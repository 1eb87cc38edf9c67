import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { hasNoHold } from '../../platform/database/held.ts'
import { changedRows } from '../../platform/database/row-counts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { EvidenceRecords, EvidenceScope, ReportKey, SealedEvidence } from '../rules/evidence-ports.ts'

const within = (scope: EvidenceScope) => (build: ExpressionBuilder<Tables, 'evidence'>) => {
  if ('subject' in scope) return build('subject', '=', scope.subject)
  if ('session' in scope) return build('session', '=', scope.session)
  return build.or([build('subject', '=', scope.account), build('uploader', '=', scope.account)])
}

function link(db: Database, evidence: SealedEvidence): Promise<void> {
  const { id, kind, subject, session, reporter, uploader, keyId, signature } = evidence
  return db.transaction().execute(async (step) => {
    // Changes no value but locks the report, so that two servers that link pictures to it do so one after the other.
    await step
      .updateTable('reports')
      .set((build) => ({ at: build.ref('at') }))
      .where('session', '=', session)
      .where('reporter', '=', reporter)
      .execute()
    const taken = await step
      .selectFrom('evidence')
      .select('id')
      .where((row) => row.and({ session, reporter, uploader }))
      .executeTakeFirst()
    const waiting = (row: ExpressionBuilder<Tables, 'evidence'>) => row.and({ id, kind: 'waiting' })
    const linked = { kind, subject, session, reporter, keyId, signature }
    if (taken) await step.deleteFrom('evidence').where(waiting).execute()
    else await step.updateTable('evidence').set(linked).where(waiting).execute()
  })
}

async function findReportWithoutPicture(db: Database, uploader: string, since: number): Promise<ReportKey | null> {
  // Joins the match that the report names, since the user may be in another match by now.
  const row = await db
    .selectFrom('reports')
    .innerJoin('liveSessions', 'liveSessions.id', 'reports.session')
    .select(['session', 'reporter', 'reported'])
    .where((build) => build.or({ reporter: uploader, reported: uploader }))
    .where('at', '>=', since)
    .where((build) => build.or([build('endedAt', 'is', null), build('endedAt', '>=', since)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evidence')
            .select('evidence.id')
            .whereRef('evidence.session', '=', 'reports.session')
            .whereRef('evidence.reporter', '=', 'reports.reporter')
            .where('evidence.uploader', '=', uploader),
        ),
      ),
    )
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export function createEvidence(db: Database): EvidenceRecords {
  const notHeld = hasNoHold(db, 'evidence')
  const waiting = () => db.selectFrom('evidence').where('kind', '=', 'waiting')

  return {
    async add(evidence) {
      await db.insertInto('evidence').values(evidence).execute()
    },

    async find(id) {
      return (await db.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    list: (scope) =>
      db
        .selectFrom('evidence')
        .select(['id', 'kind', 'uploader', 'subject', 'session', 'reporter', 'userSession', 'sha256', 'print', 'at'])
        .where(within(scope))
        .where('kind', '!=', 'waiting')
        .orderBy('at')
        .orderBy('id')
        .execute(),

    waitingIn: (session) => waiting().selectAll().where('session', '=', session).execute(),

    link: (evidence) => link(db, evidence),

    async findLastMatch(accountId, since) {
      const row = await db
        .selectFrom('liveSessions')
        .select('id')
        .where((build) => build.or({ caller: accountId, callee: accountId }))
        .where((build) => build.or([build('endedAt', 'is', null), build('endedAt', '>=', since)]))
        .orderBy('startedAt', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id ?? null
    },

    findReportWithoutPicture: (uploader, since) => findReportWithoutPicture(db, uploader, since),

    async deleteWaiting(since) {
      await db.deleteFrom('evidence').where('kind', '=', 'waiting').where('at', '<=', since).execute()
    },

    async oldestWaiting() {
      return (await waiting().select('at').orderBy('at').limit(1).executeTakeFirst())?.at ?? null
    },

    async deleteFor(scope) {
      await db.deleteFrom('evidence').where(within(scope)).where(notHeld).execute()
    },

    expire: (before) => changedRows(db.deleteFrom('evidence').where('at', '<', before).where(notHeld)),
  }
}
