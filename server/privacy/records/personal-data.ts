import type { MyData } from '#protocol/my-data.ts'
import { readPreferences } from '../../accounts/records/preferences.ts'
import { readCurtain } from '../../moderation/records/report-facts.ts'
import type { ActorKind } from '../../moderation/rules/ports.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PersonalData } from '../rules/ports.ts'

/** Log entries in an export, the newest first; a browser does not send more within the retention period of entries. */
const LOG_ENTRIES_MAX = 5_000

const text = (at: number) => new Date(at).toISOString()
const textOrNull = (at: number | null) => (at === null ? null : text(at))

async function profileOf(db: Database, accountId: string) {
  const row = await db.selectFrom('profiles').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  if (!row) return { profile: null, consents: [] }
  const { nickName, gender, dateOfBirth, picture, showsPicture, consentVersion, consentAt } = row
  return {
    profile: {
      nickName,
      gender,
      dateOfBirth,
      // The server encodes every profile picture as WebP.
      picture: picture && { type: 'image/webp', base64: Buffer.from(picture).toString('base64') },
      showsPicture: showsPicture === 1,
      ...(await readPreferences(db, accountId)),
    },
    consents: [{ version: consentVersion, at: text(consentAt) }],
  }
}

async function visitsOf(db: Database, accountId: string) {
  const own = db.selectFrom('userSessions').select('id').where('ownerId', '=', accountId)
  const [loginSessions, locations, logins, entries] = await Promise.all([
    db.selectFrom('userSessions').selectAll().where('ownerId', '=', accountId).orderBy('createdAt').execute(),
    db.selectFrom('ipDetails').selectAll().where('sessionId', 'in', own).execute(),
    db
      .selectFrom('refreshTokens')
      .innerJoin('userSessions', 'userSessions.id', 'refreshTokens.sessionId')
      .select(['expiresAt', 'signedInAt', 'attachedAt'])
      .where('refreshTokens.accountId', '=', accountId)
      .where('userSessions.accountId', '=', accountId)
      .where('usedAt', 'is', null)
      .orderBy('expiresAt')
      .execute(),
    db
      .selectFrom('logEntries')
      .select(['at', 'level', 'message'])
      .where('session', 'in', own)
      .orderBy('id', 'desc')
      .limit(LOG_ENTRIES_MAX)
      .execute(),
  ])
  const locationOf = new Map(locations.map(({ sessionId, ...location }) => [sessionId, location]))
  return {
    sessions: loginSessions.map(({ id, createdAt, signedInAt, attachedAt, browser, device, os, city, country }) => ({
      createdAt: text(createdAt),
      signedInAt: textOrNull(signedInAt),
      seenAt: textOrNull(attachedAt),
      browser,
      device,
      os,
      city,
      country,
      network: locationOf.get(id) ?? null,
    })),
    logins: logins.map(({ expiresAt, signedInAt, attachedAt }) => ({
      signedInAt: textOrNull(signedInAt),
      seenAt: textOrNull(attachedAt),
      until: text(expiresAt),
    })),
    logEntries: entries.map((entry) => ({ ...entry, at: text(entry.at) })),
  }
}

async function reportsOf(db: Database, accountId: string, nameOf: (other: string) => string) {
  const [made, kept, received] = await Promise.all([
    db.selectFrom('reports').selectAll().where('reporter', '=', accountId).orderBy('at').execute(),
    db
      .selectFrom('keptReports')
      .select(['reason', 'at', 'outcome', 'decidedAt'])
      .where('accountId', '=', accountId)
      .orderBy('at')
      .execute(),
    // Only the number of reports about the user: a time would reveal the reporter.
    db
      .selectFrom('reports')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('reported', '=', accountId)
      .executeTakeFirstOrThrow(),
  ])
  return {
    reportsMade: made.map(({ reported, type, reason, note, curtain, callMs, at, outcome, decidedAt }) => ({
      about: nameOf(reported),
      type,
      reason,
      note,
      curtain: readCurtain(curtain),
      callMs,
      at: text(at),
      outcome,
      decidedAt: textOrNull(decidedAt),
    })),
    reportsKept: kept.map((report) => ({
      ...report,
      at: text(report.at),
      decidedAt: textOrNull(report.decidedAt),
    })),
    reportsReceived: Number(received.count),
  }
}

const actors: Partial<Record<ActorKind, 'you' | 'moderator'>> = { user: 'you', moderator: 'moderator' }

async function moderationOf(db: Database, accountId: string) {
  const [changes, notice, emails, findings] = await Promise.all([
    db.selectFrom('statusChanges').selectAll().where('accountId', '=', accountId).orderBy('id').execute(),
    db.selectFrom('caseNotices').selectAll().where('accountId', '=', accountId).executeTakeFirst(),
    db.selectFrom('outbox').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute(),
    db.selectFrom('findings').selectAll().where('accountId', '=', accountId).orderBy('at').execute(),
  ])
  const history = changes.map(({ fromStatus, status, actorKind, what, rule, reason, at, until }) => ({
    from: fromStatus,
    status,
    by: actors[actorKind] ?? ('rules' as const),
    what,
    rule,
    reason,
    at: text(at),
    until: textOrNull(until),
  }))
  return {
    statusHistory: history,
    appeals: history.filter(({ by, status }) => by === 'you' && status === 'InReview').map(({ at }) => ({ at })),
    notice: notice ? { outcome: notice.outcome, at: text(notice.at) } : null,
    letters: emails.map(({ outcome, createdAt }) => ({ outcome, at: text(createdAt) })),
    findings: findings.map(({ label, score, at, outcome, decidedAt }) => ({
      label,
      score,
      at: text(at),
      outcome,
      decidedAt: textOrNull(decidedAt),
    })),
  }
}

async function evidenceAndSignalsOf(db: Database, accountId: string, nameOf: (other: string) => string) {
  const [sent, received, signals, risks] = await Promise.all([
    db
      .selectFrom('evidence')
      .select(['kind', 'subject', 'at'])
      .where('uploader', '=', accountId)
      .orderBy('at')
      .execute(),
    // Only the number of pictures, as of the reports that they belong to.
    db
      .selectFrom('evidence')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('subject', '=', accountId)
      .where('uploader', '!=', accountId)
      .executeTakeFirstOrThrow(),
    db.selectFrom('frameSignals').selectAll().where('accountId', '=', accountId).orderBy('at').execute(),
    db.selectFrom('riskSignals').select(['kind', 'at']).where('accountId', '=', accountId).orderBy('at').execute(),
  ])
  return {
    evidence: sent.map(({ kind, subject, at }) => ({
      kind,
      about: subject === accountId ? 'you' : nameOf(subject),
      at: text(at),
    })),
    evidenceReceived: Number(received.count),
    frameSignals: signals.map(({ id, accountId: _, fromAt, at, ...counts }) => ({
      ...counts,
      from: text(fromAt),
      at: text(at),
    })),
    traces: risks.map(({ kind, at }) => ({ kind, at: text(at) })),
  }
}

async function peopleOf(db: Database, accountId: string, nameOf: (other: string) => string) {
  const [blocks, kept, meetings, matches] = await Promise.all([
    db.selectFrom('blocks').select(['whom', 'at']).where('by', '=', accountId).orderBy('at').execute(),
    // Blocks of people who have no account at present.
    db
      .selectFrom('keptBlocks')
      .select(['whomPerson as whom', 'at'])
      .where('byAccount', '=', accountId)
      .orderBy('at')
      .execute(),
    db
      .selectFrom('meetings')
      .selectAll()
      .where((build) => build.or([build('first', '=', accountId), build('second', '=', accountId)]))
      .orderBy('at')
      .execute(),
    db
      .selectFrom('liveSessions')
      .select(['startedAt', 'endedAt', 'connected'])
      .where((build) => build.or([build('caller', '=', accountId), build('callee', '=', accountId)]))
      .orderBy('startedAt')
      .execute(),
  ])
  return {
    blocked: [...blocks, ...kept].map(({ whom, at }) => ({ whom: nameOf(whom), at: text(at) })),
    met: meetings.map(({ first, second, at }) => ({
      whom: nameOf(first === accountId ? second : first),
      at: text(at),
    })),
    calls: matches.map(({ startedAt, endedAt, connected }) => ({
      startedAt: text(startedAt),
      endedAt: textOrNull(endedAt),
      connected: connected === 1,
    })),
  }
}

async function framesOf(db: Database, accountId: string) {
  const rows = await db
    .selectFrom('frames')
    .select((build) => [
      'kind',
      build.fn.countAll<number>().as('count'),
      build.fn.min('at').as('first'),
      build.fn.max('at').as('last'),
    ])
    .where('accountId', '=', accountId)
    .groupBy('kind')
    .execute()
  return rows.map(({ kind, count, first, last }) => ({
    kind,
    count: Number(count),
    first: text(first),
    last: text(last),
  }))
}

async function deletionsOf(db: Database, accountId: string): Promise<MyData['deletions']> {
  const [rows, hold] = await Promise.all([
    db.selectFrom('deletionRequests').selectAll().where('accountId', '=', accountId).orderBy('requestedAt').execute(),
    db.selectFrom('legalHolds').select('at').where('accountId', '=', accountId).executeTakeFirst(),
  ])
  return rows.map(({ requestedAt, dueAt, outcome }) => ({
    requestedAt: text(requestedAt),
    dueAt: text(dueAt),
    state: outcome ?? (hold ? 'held' : 'waiting'),
  }))
}

export function createPersonalData(db: Database): PersonalData {
  return {
    async accountOf(provider, subject) {
      const row = await db
        .selectFrom('accounts')
        .select('id')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.id ?? null
    },

    async of(accountId, at, nameOf) {
      const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
      if (!account) return null
      const [profile, visits, moderation, reports, evidence, people, frames, deletions] = await Promise.all([
        profileOf(db, accountId),
        visitsOf(db, accountId),
        moderationOf(db, accountId),
        reportsOf(db, accountId, nameOf),
        evidenceAndSignalsOf(db, accountId, nameOf),
        peopleOf(db, accountId, nameOf),
        framesOf(db, accountId),
        deletionsOf(db, accountId),
      ])
      const { statusUntil, createdAt, provider, subject, email, firstName, lastName, status, language } = account
      const person = { provider, subject, email, firstName, lastName, language, status }
      return {
        madeAt: text(at),
        account: { ...person, statusUntil: textOrNull(statusUntil), createdAt: text(createdAt) },
        ...profile,
        ...visits,
        ...moderation,
        ...reports,
        ...evidence,
        ...people,
        frames,
        deletions,
      }
    },
  }
}
