import { readCurtain } from '../../moderation/records/report-facts.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CaseFacts, CaseFactsRecords, PreservedPerson } from '../rules/preservation-ports.ts'

/** Resolves with null if there is no such account. */
async function personOf(db: Database, id: string): Promise<PreservedPerson | null> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
    .select(['id', 'provider', 'subject', 'email', 'firstName', 'lastName', 'status', 'createdAt'])
    .select(['nickName', 'gender', 'dateOfBirth', 'picture'])
    .where('accounts.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const [logins, traces] = await Promise.all([
    db
      .selectFrom('userSessions as login')
      .leftJoin('ipDetails as location', 'location.sessionId', 'login.id')
      .select(['createdAt', 'signedInAt', 'attachedAt as seenAt', 'browser', 'device', 'os'])
      .select(({ fn }) => [
        fn.coalesce('location.city', 'login.city').as('city'),
        fn.coalesce('location.country', 'login.country').as('country'),
      ])
      .where('login.ownerId', '=', id)
      .orderBy('createdAt')
      .execute(),
    db.selectFrom('riskSignals').select(['kind', 'digest', 'at']).where('accountId', '=', id).orderBy('at').execute(),
  ])
  const picture = row.picture && Buffer.from(row.picture).toString('base64')
  return { ...row, picture, logins, traces }
}

async function caseOf(db: Database, caseId: string): Promise<Omit<CaseFacts, 'people'>> {
  const pictured = db
    .selectFrom('evidence')
    .select('session')
    .where('subject', '=', caseId)
    .where('session', 'is not', null)
    .$narrowType<{ session: string }>()
  const [reports, matches, findings, history, views] = await Promise.all([
    db
      .selectFrom('reports')
      .select(['session', 'reporter', 'type', 'reason', 'note', 'curtain', 'callMs', 'at', 'outcome'])
      .where('reported', '=', caseId)
      .orderBy('at')
      .execute(),
    // Only matches with a report about the user or with a kept picture; other matches are no part of the case.
    db
      .selectFrom('liveSessions')
      .select(['id', 'caller', 'callee', 'startedAt', 'answeredAt', 'endedAt'])
      .where((build) =>
        build.or([
          build('id', 'in', db.selectFrom('reports').select('session').where('reported', '=', caseId)),
          build('id', 'in', pictured),
        ]),
      )
      .orderBy('startedAt')
      .execute(),
    db.selectFrom('findings').select(['label', 'score', 'at']).where('accountId', '=', caseId).orderBy('at').execute(),
    db
      .selectFrom('statusChanges')
      .select(['fromStatus as from', 'status as to', 'actorKind as by', 'rule', 'reason', 'at'])
      .where('accountId', '=', caseId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('moderationAudit')
      .select('what')
      .where((row) => row.and({ action: 'evidence-opened', whom: caseId }))
      .execute(),
  ])
  return {
    reports: reports.map((report) => ({ ...report, curtain: readCurtain(report.curtain) })),
    matches,
    findings,
    history,
    // The entry begins with the id of the picture.
    viewed: [...new Set(views.map(({ what }) => what.split(',', 1)[0] ?? what))],
  }
}

export function createCaseFacts(db: Database): CaseFactsRecords {
  return {
    async copy(caseId, uploaders) {
      const reported = await personOf(db, caseId)
      if (!reported) return null
      const facts = await caseOf(db, caseId)
      const others = new Set([...facts.reports.map(({ reporter }) => reporter), ...uploaders])
      others.delete(caseId)
      const people = [reported]
      for (const id of others) {
        const other = await personOf(db, id)
        if (other) people.push(other)
      }
      return { ...facts, people }
    },
  }
}
