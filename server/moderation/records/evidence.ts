import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasNoHold } from '../../platform/database/held.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { EvidenceRecords, EvidenceScope, SealedEvidence } from '../rules/evidence-ports.ts'

const factsSchema = v.object({
  id: v.string(),
  kind: v.picklist(['flagged', 'reporters-view', 'own-camera', 'waiting']),
  uploader: v.string(),
  subject: v.string(),
  session: v.nullable(v.string()),
  reporter: v.nullable(v.string()),
  userSession: v.string(),
  sha256: v.string(),
  print: v.nullable(v.string()),
  at: v.number(),
})
const evidenceSchema = v.object({
  ...factsSchema.entries,
  keyId: v.string(),
  signature: v.string(),
  sealed: v.instance(Uint8Array),
})

const within = (scope: EvidenceScope) => (build: ExpressionBuilder<Tables, 'evidence'>) => {
  if ('subject' in scope) return build('subject', '=', scope.subject)
  if ('session' in scope) return build('session', '=', scope.session)
  return build.or([build('subject', '=', scope.account), build('uploader', '=', scope.account)])
}

export function createEvidence(db: Database): EvidenceRecords {
  const notHeld = hasNoHold(db, 'evidence')

  return {
    async add(evidence) {
      await db.insertInto('evidence').values(evidence).execute()
    },

    async find(id): Promise<SealedEvidence | null> {
      const row = await db.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? parse(evidenceSchema, row) : null
    },

    async list(scope) {
      const rows = await db
        .selectFrom('evidence')
        .select(['id', 'kind', 'uploader', 'subject', 'session', 'reporter', 'userSession', 'sha256', 'print', 'at'])
        .where(within(scope))
        .where('kind', '!=', 'waiting')
        .orderBy('at')
        .orderBy('id')
        .execute()
      return parse(recordsOf(factsSchema), rows)
    },

    async waitingIn(session) {
      const rows = await db
        .selectFrom('evidence')
        .selectAll()
        .where('session', '=', session)
        .where('kind', '=', 'waiting')
        .execute()
      return parse(recordsOf(evidenceSchema), rows)
    },

    async link({ id, kind, subject, session, reporter, uploader, keyId, signature }) {
      await db.transaction().execute(async (step) => {
        // Changes nothing: two servers that link to one report come one after the other.
        await step
          .updateTable('reports')
          .set((build) => ({ at: build.ref('at') }))
          .where('session', '=', session)
          .where('reporter', '=', reporter)
          .execute()
        const taken = await step
          .selectFrom('evidence')
          .select('id')
          .where('session', '=', session)
          .where('reporter', '=', reporter)
          .where('uploader', '=', uploader)
          .executeTakeFirst()
        const waiting = (build: ExpressionBuilder<Tables, 'evidence'>) =>
          build.and([build('id', '=', id), build('kind', '=', 'waiting')])
        if (taken) await step.deleteFrom('evidence').where(waiting).execute()
        else
          await step
            .updateTable('evidence')
            .set({ kind, subject, session, reporter, keyId, signature })
            .where(waiting)
            .execute()
      })
    },

    async findLastMatch(accountId, since) {
      const row = await db
        .selectFrom('liveSessions')
        .select('id')
        .where((build) => build.or([build('caller', '=', accountId), build('callee', '=', accountId)]))
        .where((build) => build.or([build('endedAt', 'is', null), build('endedAt', '>=', since)]))
        .orderBy('startedAt', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id ?? null
    },

    async findReportWithoutPicture(uploader, since) {
      // By the match that the report names: the user may be in another match by now.
      const row = await db
        .selectFrom('reports')
        .innerJoin('liveSessions', 'liveSessions.id', 'reports.session')
        .select(['session', 'reporter', 'reported'])
        .where((build) => build.or([build('reporter', '=', uploader), build('reported', '=', uploader)]))
        .where('at', '>=', since)
        .where((build) => build.or([build('endedAt', 'is', null), build('endedAt', '>=', since)]))
        .where((build) =>
          build.not(
            build.exists(
              build
                .selectFrom('evidence')
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
    },

    async deleteWaiting(since) {
      await db.deleteFrom('evidence').where('kind', '=', 'waiting').where('at', '<=', since).execute()
    },

    async oldestWaiting() {
      const row = await db
        .selectFrom('evidence')
        .select('at')
        .where('kind', '=', 'waiting')
        .orderBy('at')
        .limit(1)
        .executeTakeFirst()
      return row?.at ?? null
    },

    async deleteFor(scope) {
      await db.deleteFrom('evidence').where(within(scope)).where(notHeld).execute()
    },

    async expire(before) {
      const { numDeletedRows } = await db
        .deleteFrom('evidence')
        .where('at', '<', before)
        .where(notHeld)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
