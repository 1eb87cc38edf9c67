import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '#protocol/log-entry.ts'
import type { TransparencyReport } from '#protocol/transparency.ts'
import type { RefreshToken } from '../../../../server/accounts/rules/login-ports.ts'
import type { StoredPicture } from '../../../../server/accounts/rules/profile-ports.ts'
import type { SealedPreservation } from '../../../../server/console/rules/preservation-ports.ts'
import type { FrameSignal } from '../../../../server/frames/rules/ports.ts'
import type { EvidenceFacts, SealedEvidence } from '../../../../server/moderation/rules/evidence-ports.ts'
import type { KeptCase, Reports, StatusChange } from '../../../../server/moderation/rules/ports.ts'
import type { NewNotice } from '../../../../server/notices/rules/ports.ts'
import type { IdempotencyId } from '../../../../server/platform/rules/idempotency.ts'
import { startPgBouncer } from '../../../support/servers/pgbouncer.ts'
import { newDatabase } from '../../../support/servers/postgres.ts'
import { confirmedCall } from '../../../support/stores/confirmed-call.ts'
import { unusedToken, useOf } from '../../../support/stores/refresh-token.ts'
import type { Store } from '../../../support/stores/store.ts'
import { backends, openDatabaseAt, postgresPort } from '../../../support/stores/stores.ts'

/** Every method of every repository, asked of both kinds of records in the same order. The compiler names one that is missing. */

type Repositories = Omit<Store, 'records' | 'ping' | 'copyTo' | 'close'>
type Asked<R> = { [M in keyof R]: () => Promise<unknown> }
type Script = { [R in keyof Repositories]: Asked<Repositories[R]> }

const [ADA, BOB, EVE] = ['id-1', 'id-2', 'id-3']
const identity = (name: string) =>
  ({ provider: 'Google', subject: name, email: `${name}@Example.org`, firstName: name, lastName: 'NA' }) as const
const profile = {
  nickName: 'Zoë_9',
  gender: 'girl',
  dateOfBirth: '1990-12-10',
  consentVersion: '1',
  consentAt: 5,
} as const
const changed = { nickName: 'Zoë_9', gender: 'others', showsPicture: true } as const
const chosen: StoredPicture = { large: new Uint8Array([1, 2]), thumbnail: new Uint8Array([0]), check: 'passed' }
const entry: LogEntry = { userSessionId: 's1', logMessage: 'a "x"', logLevel: 'Info', platform: 'Web', dateTime: 'x' }
const device = { UserAppRunOn: 'Firefox', UserDeviceName: 'desktop', UserDeviceOs: 'Linux', DeviceType: 'Web' } as const
const token = (digest: string): RefreshToken => ({
  digest,
  family: 'f',
  accountId: ADA,
  sessionId: 's1',
  expiresAt: 1_000,
  ...unusedToken,
})
const report: Parameters<Reports['add']>[0] = {
  session: 'm1',
  reporter: ADA,
  reported: BOB,
  type: 'BlockAndReport',
  callMs: 7,
  ...confirmedCall,
  at: 10,
  dueAt: 20,
  details: { reason: 'under-18', note: 'Im Kinderzimmer', curtain: { model: 'm', flagged: 1, looks: 2 } },
}
const change: StatusChange = {
  accountId: BOB,
  from: 'Valid',
  to: 'Appeal',
  by: { kind: 'policy', id: null },
  what: 'reports',
  rule: 'guidelines',
  reason: 'Zu viele Meldungen',
  at: 20,
  until: 9_000_000_000_000,
}
const effects = {
  closes: null,
  notice: 'suspended',
  sendEmail: true,
  person: 'digest of bob',
  mailbox: 'digest of a mailbox of bob',
  signalsUntil: 500,
} as const
const kept: KeptCase = {
  person: 'digest of eve',
  status: 'Appeal',
  what: 'reports',
  rule: 'guidelines',
  until: 9_000_000_000_000,
  reports: 3,
  findings: 1,
  at: 20,
  expiresAt: 900,
}
const facts: EvidenceFacts = {
  id: 'e1',
  kind: 'waiting',
  uploader: ADA,
  subject: ADA,
  session: 'm1',
  reporter: null,
  userSession: 's1',
  sha256: 'x',
  print: '0f',
  at: 11,
}
const picture: SealedEvidence = { ...facts, keyId: 'k', signature: 's', sealed: new Uint8Array([0, 1, 255]) }
const frame = { sessionId: 's1', kind: 'dashboard', bytes: 9, width: 4, height: 3 } as const
const stay: FrameSignal = {
  accountId: ADA,
  from: 1,
  at: 12,
  expected: 3,
  came: 2,
  black: 0,
  changed: 1,
  longestGapMs: 5_000_000_000,
  sameFrameRepeated: 1,
  suspicious: 0,
}
const published: TransparencyReport = {
  from: '2026-01',
  to: '2026-06',
  publishedAt: 9,
  rows: [{ indicator: 'complaints', scope: 'kept', value: null }],
}
const repeat: IdempotencyId = { account: ADA, endpoint: 'appeal', key: 'k' }
const moderator = {
  id: 'mo',
  name: 'mia',
  password: 'hash',
  totpSecret: 'sealed',
  totpStep: 5,
  createdAt: 1,
  disabledAt: null,
}
const login = { id: 'l1', moderatorId: 'mo', createdAt: 2, seenAt: 2, digest: 'd1' }
const contentNotice: NewNotice = {
  id: 'n1',
  reference: '0A1B2C3D4E5F',
  requestKey: 'key of the first notice',
  kind: 'intimate-picture',
  email: 'Zoë@example.org',
  language: 'es',
  day: '2026-01-02',
  time: null,
  description: "<b>a picture</b> of me, 語 '",
  link: null,
  signature: 'Zoë Ünal',
  isGoodFaith: true,
  at: 10,
  dueAt: 20,
}
const noticeAnswer = { outcome: 'acted', text: 'Gone.', at: 15, moderator: 'mo' } as const
const preserved: SealedPreservation = {
  id: 'v1',
  receipt: 'R1',
  caseId: BOB,
  incidentType: 'Child Sexual Molestation',
  openedBy: 'mia',
  openedAt: 5,
  confirmedBy: null,
  confirmedAt: null,
  authority: null,
  authorityReference: null,
  sentBy: null,
  sentAt: null,
  keptFrom: 5,
  keyId: 'k',
  sealed: new Uint8Array([0, 1, 255]),
}
const sentTo = { authority: 'NCMEC', authorityReference: '語 7', sentBy: 'mia', sentAt: 9_000_000_000_000 }
const times = { requestedAt: 30, startAt: 40, dueAt: 50 }
const code = { digest: 'c1', proof: 'p1' }

function scriptFor(store: Store): Script {
  const {
    accounts,
    loginSessions,
    logins,
    refreshTokens,
    relations,
    reports,
    cases,
    findings,
    risks,
    keptCases,
    keptCalls,
    keptRecords,
  } = store
  const { matchRecords, partners, profiles, preferences, logs, frames, moderators, audit, desk, evidence, signals } =
    store
  const { deletions, legalHolds, personalData, expiry, idempotency, sharedSecrets, backlog, transparency } = store
  const { caseFacts, contentNotices, countries, preservations, noticeEmails, outbox, refusedWords } = store
  let email = ''
  return {
    accounts: {
      signIn: async () => [
        await accounts.signIn(identity('ada'), 1),
        await accounts.signIn(identity('bob'), 2),
        await accounts.signIn(identity('Eve'), 3),
        await accounts.signIn({ ...identity('ada'), email: 'new@example.org' }, 4),
      ],
      find: async () => [await accounts.find(ADA), await accounts.find('nobody')],
      setNames: () => accounts.setNames(BOB, "O'Bob", '語'),
      setLanguage: async () => [await accounts.setLanguage(ADA, 'es'), await accounts.find(ADA)],
      saveProfile: async () => [
        await accounts.saveProfile(ADA, profile, new Uint8Array([1, 2, 0])),
        await accounts.saveProfile(BOB, { ...profile, nickName: 'abba' }, null),
        await accounts.saveProfile(EVE, { ...profile, nickName: 'Über' }, null),
      ],
      profile: async () => [await accounts.profile(ADA), await accounts.profile('nobody')],
      nickName: async () => [await accounts.nickName(ADA), await accounts.nickName('nobody')],
      signedInWith: async () => [
        await accounts.signedInWith(['s1', 's2']),
        await loginSessions.create('s1', 1),
        await loginSessions.create('s2', 2),
        await accounts.signedInWith(['s1', 's2']),
        await logins.attach('s1', ADA, 3),
        await accounts.signedInWith(['s1', 's2']),
      ],
      admission: async () => [
        await accounts.admission(ADA),
        await preferences.replace(ADA, { languages: ['es', 'en'], interests: ['über', 'chess'] }),
        await accounts.admission(ADA),
        await accounts.admission('nobody'),
        // More than there are statements at once: the later ones share one.
        await Promise.all([BOB, EVE, ADA, 'nobody', ADA, BOB].map((id) => accounts.admission(id))),
      ],
    },
    profiles: {
      change: async () => [
        await profiles.change(ADA, { ...changed, picture: { ...chosen, thumbnail: null } }),
        await profiles.change(BOB, { ...changed, nickName: 'abba', showsPicture: false, picture: chosen }),
        await profiles.change(BOB, { ...changed, nickName: 'abba', picture: null }),
        await profiles.change('nobody', changed),
      ],
      complete: async () => [
        await profiles.complete(ADA, { ...chosen, large: new Uint8Array([9]) }),
        (await profiles.find(ADA))?.picture,
        await profiles.complete(ADA, chosen),
      ],
      findShown: async () => [await profiles.findShown(ADA), await profiles.findShown(BOB)],
      find: async () => [
        await profiles.find(ADA),
        await profiles.find('nobody'),
        await profiles.complete(ADA, { ...chosen, check: 'refused' }),
        await profiles.find(ADA),
        await profiles.findShown(ADA),
      ],
      correctBirth: async () => [
        await profiles.correctBirth(ADA, '1991-01-01'),
        await profiles.correctBirth('nobody', '1991-01-01'),
        await accounts.saveProfile(ADA, profile, null),
        await profiles.find(ADA),
      ],
    },
    preferences: {
      replace: async () => [
        await preferences.replace(ADA, { languages: ['es', 'en'], interests: ['chess', 'über'] }),
        await preferences.replace(ADA, { languages: ['fil'], interests: ['über', 'chess'] }),
        await preferences.replace(BOB, { languages: [], interests: ['chess', 'ça'] }),
        await preferences.replace('nobody', { languages: ['en'], interests: [] }),
      ],
      find: async () => [await preferences.find(ADA), await preferences.find('nobody'), await accounts.profile(ADA)],
      commonInterests: async () => [
        await preferences.commonInterests({ networks: 1, max: 5, createdBefore: 9, calls: 0, lastedMs: 1 }),
        await preferences.commonInterests({ networks: 0, max: 2, createdBefore: 9, calls: 1, lastedMs: 1 }),
      ],
    },
    loginSessions: {
      create: () => loginSessions.create('s1', 1),
      enter: () => loginSessions.enter({ ...device, UserSessionId: 's1', UserCity: 'NA', UserCountry: 'NA' }, 2),
      setLocation: () => loginSessions.setLocation('s1', { city: 'Bern', country: 'CH' }),
      find: async () => [await loginSessions.find('s1'), await loginSessions.find('s2')],
      deviceOf: async () => [await loginSessions.deviceOf('s1'), await loginSessions.deviceOf('s2')],
      open: async () => [await loginSessions.open(token('t0'), 4), await loginSessions.find('s1')],
      recordVisit: async () => [
        await loginSessions.recordVisit('s1', ADA, 5),
        await loginSessions.recordVisit('s1', BOB, 6),
        await loginSessions.recordVisit('s2', ADA, 6),
      ],
      confirmSignIn: async () => [
        await loginSessions.confirmSignIn('s1', ADA, 7),
        await loginSessions.confirmSignIn('s1', BOB, 8),
        await loginSessions.find('s1'),
      ],
      attachedTo: async () => [await loginSessions.attachedTo(ADA), await loginSessions.attachedTo(BOB)],
      end: async () => [
        await loginSessions.end('s1', BOB),
        await loginSessions.end('s1', ADA),
        await loginSessions.find('s1'),
        await refreshTokens.find('t0'),
        await loginSessions.recordVisit('s1', ADA, 9),
        await loginSessions.confirmSignIn('s1', ADA, 9),
        await loginSessions.attachedTo(ADA),
      ],
    },
    logins: {
      attach: () => logins.attach('s2', EVE, 3),
      addToken: () => logins.addToken(token('t1')),
    },
    refreshTokens: {
      rotate: async () => [
        await refreshTokens.rotate('t1', useOf('sealed', 5), token('t2')),
        await logins.attach('s1', ADA, 5),
        await refreshTokens.rotate('t1', useOf('sealed', 5), token('t2')),
        await refreshTokens.rotate('t1', useOf('sealed', 6), token('t3')),
      ],
      setCrossed: async () => [await refreshTokens.setCrossed('t2'), await refreshTokens.find('t2')],
      find: async () => [
        await refreshTokens.find('t1'),
        await refreshTokens.find('t2'),
        await refreshTokens.find('t3'),
      ],
      revokeFamily: async () => [await refreshTokens.revokeFamily('f'), await refreshTokens.find('t2')],
    },
    relations: {
      recordMet: async () => [
        await relations.recordMet(BOB, ADA, 9),
        await Promise.all([
          relations.recordMet(ADA, BOB, 10),
          relations.recordMet(EVE, ADA, 11),
          relations.recordMet(BOB, EVE, 12),
          relations.recordMet(EVE, BOB, 13),
        ]),
      ],
      metBy: async () => [
        await Promise.all([ADA, EVE, BOB, 'nobody', ADA].map(async (id) => (await relations.metBy(id)).sort())),
      ],
      block: async () => [await relations.block(ADA, BOB, 1), await relations.block(ADA, BOB, 2)],
      blockedWith: async () => [
        await relations.blockedWith(BOB),
        await relations.blockedWith(EVE),
        await relations.block(BOB, ADA, 3),
        await relations.block(EVE, ADA, 3),
        await Promise.all([ADA, EVE, BOB, 'nobody', ADA].map(async (id) => (await relations.blockedWith(id)).sort())),
      ],
    },
    matchRecords: {
      open: async () => {
        const session = { id: 'm1', caller: ADA, callee: BOB, startedAt: 8, connected: false }
        // Again, as where the first answer was lost.
        return [
          await matchRecords.open(session),
          await Promise.all(
            ['m1', 'm3', 'm4', 'm5', 'm4'].map((id, at) => matchRecords.open({ ...session, id, startedAt: 8 + at })),
          ),
        ]
      },
      confirm: async () => [
        await matchRecords.confirm('m1', 'Caller', 9),
        await Promise.all([
          matchRecords.confirm('m3', 'Caller', 8),
          matchRecords.confirm('m3', 'Callee', 10),
          matchRecords.confirm('m4', 'Caller', 5_000_000_000_000),
          matchRecords.confirm('m4', 'Callee', 12),
          matchRecords.confirm('m5', 'Caller', 13),
          matchRecords.confirm('m1', 'Caller', 13),
          matchRecords.confirm('m1', 'Callee', 14),
          matchRecords.confirm('m5', 'Callee', 15),
        ]),
        // Matches that are opened together come in any order.
        (await matchRecords.all()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        await Promise.all(['m3', 'm4', 'm5'].map((id) => matchRecords.close(id, 16, null))),
        await Promise.all(['m3', 'm4', 'm5'].map((id) => matchRecords.find(id))),
      ],
      all: () => matchRecords.all(),
      close: async () => [await matchRecords.close('m1', 9, null), await matchRecords.all()],
      find: async () => [await matchRecords.find('m1'), await matchRecords.find('m2')],
    },
    partners: {
      partnerIn: async () => [
        await matchRecords.open({ id: 'm0', caller: ADA, callee: BOB, startedAt: 8, connected: false }),
        await partners.partnerIn('m0', ADA),
        await partners.partnerIn('m0', BOB),
        await partners.partnerIn('m0', EVE),
        await matchRecords.close('m0', 9, null),
        await partners.partnerIn('m0', ADA),
        await partners.partnerIn('nothing', ADA),
      ],
    },
    reports: {
      add: async () => [await reports.add(report), await reports.add(report)],
      recordOf: async () => [await reports.recordOf(ADA, 11), await reports.recordOf(EVE, 11)],
      open: () => reports.open(BOB, 0),
      subjects: () => reports.subjects(0),
    },
    findings: {
      add: () => findings.add(BOB, { session: 's', label: 'Porn', score: 0.1 + 0.2, at: 10 }),
      count: async () => [await findings.count(BOB, 0, 0.3), await findings.count(BOB, 0, 0.31)],
    },
    countries: { of: async () => [await countries.of('s1'), await countries.of('nobody')] },
    backlog: {
      read: () => backlog.read(),
      readPriority: async () => [await backlog.readPriority(15), await backlog.readPriority(25)],
    },
    keptCalls: {
      partnersOf: async () => [
        await matchRecords.open({ id: 'm2', caller: BOB, callee: ADA, startedAt: 5, connected: false }),
        await matchRecords.confirm('m2', 'Caller', 6),
        await matchRecords.confirm('m2', 'Callee', 7),
        await matchRecords.close('m2', 60_005, 6),
        await keptCalls.partnersOf([ADA, EVE]),
      ],
      originsOf: async () => [
        await risks.addSignals(ADA, { address: 'ours', device: 'kind' }, 6),
        await keptCalls.originsOf([ADA, EVE, 'nobody']),
      ],
      callers: async () => [await keptCalls.callers(9), await keptCalls.callers(1)],
    },
    risks: {
      addSignals: async () => [
        await risks.addSignals(BOB, { address: 'network', device: 'kind' }, 6),
        await risks.addSignals(EVE, { address: 'network', device: null }, 7),
      ],
      matches: async () => [
        await cases.change({ ...change, to: 'Blocked', at: 2 }, effects),
        await risks.findBan('digest of bob', 'none'),
        await risks.matches(EVE, 10),
        await risks.matches(EVE, 500),
        await cases.change(
          { ...change, from: 'Blocked', to: 'Valid', at: 2, until: null },
          { ...effects, sendEmail: false },
        ),
        await risks.matches(EVE, 10),
      ],
      addBan: () =>
        risks.addBan({ person: 'digest of a minor', mailbox: 'digest of a mailbox', rule: 'adults-only', at: 3 }),
      findBan: async () => [
        await risks.findBan('nobody', 'digest of a mailbox'),
        await risks.findBan('nobody', 'nobody'),
      ],
      deleteExpired: () => risks.deleteExpired(8, 7),
    },
    cases: {
      change: async () => [await cases.change(change, effects), await cases.change(change, effects)],
      open: () => cases.open(BOB),
      due: async () => [await cases.due(8_999_999_999_999), await cases.due(9_000_000_000_000)],
      notice: async () => [await cases.notice(BOB), await cases.notice(ADA)],
      seeNotice: async () => [await cases.seeNotice(BOB), await cases.notice(BOB)],
      history: () => cases.history(BOB),
      close: async () => [await cases.close(BOB, 'upheld', 30), await reports.open(BOB, 0)],
    },
    keptCases: {
      keep: async () => [await keptCases.keep({ ...kept, rule: 'no-scams', until: null }), await keptCases.keep(kept)],
      find: async () => [
        await keptCases.find('digest of eve', 899),
        await keptCases.find('digest of eve', 900),
        await keptCases.find('nobody', 1),
      ],
      attach: async () => [
        await keptCases.attach('digest of eve', EVE),
        await keptCases.find('digest of eve', 1),
        await cases.open(EVE),
        await desk.casesOf([EVE]),
      ],
      remove: async () => [await keptCases.remove('digest of eve'), await cases.open(EVE)],
    },
    keptRecords: {
      keep: async () => [
        await relations.block(BOB, EVE, 8),
        await reports.add({ ...report, session: 'm7', reporter: EVE, reported: ADA }),
        await keptRecords.keep({ id: EVE, provider: 'Google', subject: 'Eve' }, ({ subject }) => subject, 31),
        await keptRecords.keep({ id: EVE, provider: 'Google', subject: 'Eve' }, ({ subject }) => subject, 32),
      ],
      restore: async () => [
        await keptRecords.restore('Eve', EVE),
        (await relations.blockedWith(EVE)).sort(),
        await personalData.of(EVE, 0, (other) => other),
      ],
    },
    contentNotices: {
      add: async () => [
        await contentNotices.add(contentNotice),
        await contentNotices.add({ ...contentNotice, id: 'n2', reference: 'ANOTHER' }),
        await contentNotices.add({ ...contentNotice, id: 'n3', reference: 'THIRD', requestKey: 'k3', dueAt: 19 }),
        await contentNotices.add({ ...contentNotice, id: 'n4', reference: 'FOURTH', requestKey: 'k4', time: '23:59' }),
      ],
      find: async () => [
        await contentNotices.find('id', 'n1'),
        await contentNotices.find('reference', '0A1B2C3D4E5F'),
        await contentNotices.find('requestKey', 'k4'),
        await contentNotices.find('id', 'n2'),
      ],
      open: async () => [await contentNotices.open(2), await contentNotices.open(10)],
      counts: async () => [await contentNotices.counts(20), await contentNotices.counts(-1e9)],
      answer: async () => [
        await contentNotices.answer('n1', noticeAnswer, 16),
        await contentNotices.answer('n1', { ...noticeAnswer, text: 'Too late' }, 17),
        await contentNotices.answer('n4', noticeAnswer, null),
        await contentNotices.find('id', 'n1'),
        await contentNotices.counts(20),
      ],
      remove: async () => [await contentNotices.remove('n3'), await contentNotices.remove('n3')],
    },
    refusedWords: {
      add: async () => [
        await refusedWords.add({ word: 'über', moderator: 'mia', at: 1 }, 2),
        await refusedWords.add({ word: 'über', moderator: 'leo', at: 2 }, 2),
        await refusedWords.add({ word: 'ab c', moderator: 'leo', at: 3 }, 2),
        await refusedWords.add({ word: 'third', moderator: 'leo', at: 4 }, 2),
      ],
      all: () => refusedWords.all(),
      remove: async () => [await refusedWords.remove('über'), await refusedWords.remove('über')],
    },
    noticeEmails: {
      due: async () => [await noticeEmails.due(15), await noticeEmails.due(16)],
      reserve: async () => [await noticeEmails.reserve('n1', 16, 25), await noticeEmails.reserve('n1', 16, 25)],
      postpone: async () => [await noticeEmails.postpone('n1', 26), await noticeEmails.due(26)],
      setSent: async () => [await noticeEmails.setSent('n1', 27), await contentNotices.find('id', 'n1')],
      remove: async () => [
        await noticeEmails.remove('n1'),
        await noticeEmails.due(1_000),
        await contentNotices.find('id', 'n1'),
      ],
    },
    outbox: {
      async due() {
        const emails = await outbox.due(20)
        email = emails[0]?.id ?? ''
        return [emails, await outbox.due(19)]
      },
      reserve: async () => [await outbox.reserve(email, 20, 25), await outbox.reserve(email, 20, 25)],
      postpone: async () => [await outbox.postpone(email, 26), await outbox.due(26)],
      remove: async () => [await outbox.remove(email), await outbox.due(1_000)],
    },
    evidence: {
      add: async () => [
        await evidence.add(picture),
        await evidence.add({ ...picture, id: 'e2' }),
        await evidence.add({ ...picture, id: 'e3', session: null, kind: 'flagged' }),
      ],
      find: async () => [await evidence.find('e1'), await evidence.find('nothing')],
      waitingIn: () => evidence.waitingIn('m1'),
      oldestWaiting: () => evidence.oldestWaiting(),
      findLastMatch: async () => [await evidence.findLastMatch(ADA, 9), await evidence.findLastMatch(ADA, 10)],
      findReportWithoutPicture: async () => [
        await evidence.findReportWithoutPicture(ADA, 9),
        await evidence.findReportWithoutPicture(EVE, 0),
      ],
      link: async () => [
        await evidence.link({ ...picture, kind: 'reporters-view', subject: BOB, reporter: ADA }),
        await evidence.link({ ...picture, id: 'e2', kind: 'reporters-view', subject: BOB, reporter: ADA }),
        await evidence.findReportWithoutPicture(ADA, 9),
      ],
      list: async () => [await evidence.list({ account: ADA }), await evidence.list({ session: 'm1' })],
      deleteWaiting: async () => [await evidence.deleteWaiting(100), await evidence.oldestWaiting()],
      deleteFor: async () => [await evidence.deleteFor({ subject: BOB }), await evidence.list({ account: ADA })],
      expire: async () => [await evidence.expire(11), await evidence.expire(12)],
    },
    logs: {
      add: async () => [
        await logs.add([entry], 'k', 1),
        await logs.add([entry], 'k', 1),
        await logs.add([entry], null, 2),
      ],
    },
    frames: {
      record: () =>
        frames.record([ADA, 'gone', BOB].map((accountId, index) => ({ ...frame, accountId, at: 13 + index }))),
    },
    signals: {
      add: () => signals.add(stay),
      of: () => signals.of(ADA, 10),
      expire: async () => [await signals.expire(12), await signals.expire(13)],
    },
    moderators: {
      add: async () => [await moderators.add(moderator), await moderators.add({ ...moderator, id: 'other' })],
      findByName: async () => [await moderators.findByName('mia'), await moderators.findByName('noa')],
      all: () => moderators.all(),
      consumeTotpStep: async () => [
        await moderators.consumeTotpStep('mo', 6),
        await moderators.consumeTotpStep('mo', 6),
      ],
      openLoginSession: async () => [
        await moderators.openLoginSession({ ...login, id: 'l0', digest: 'd0' }, 'an earlier password'),
        await moderators.openLoginSession(login, moderator.password),
        await moderators.findLoginSession('d0'),
        await moderators.openLoginSession({ ...login, id: 'l3', digest: 'd3' }, moderator.password, 'a new hash'),
        await moderators.openLoginSession({ ...login, id: 'l4', digest: 'd4' }, moderator.password),
        await moderators.findByName('mia'),
      ],
      findLoginSession: async () => [await moderators.findLoginSession('d1'), await moderators.findLoginSession('d2')],
      touchLoginSession: async () => [
        await moderators.touchLoginSession('l1', 9),
        await moderators.findLoginSession('d1'),
      ],
      closeLoginSession: async () => [
        await moderators.closeLoginSession('l1'),
        await moderators.findLoginSession('d1'),
      ],
      disable: async () => [await moderators.disable('mia', 9), await moderators.disable('noa', 9)],
      reset: async () => [
        await moderators.reset('mia', { password: 'new', totpSecret: 'new', totpStep: 0 }),
        await moderators.findByName('mia'),
      ],
    },
    audit: {
      add: () => audit.add({ at: 1, moderator: 'mia', session: null, action: 'look', whom: BOB, what: 'case' }),
      latest: () => audit.latest(5),
    },
    desk: {
      openCases: async () => (await desk.openCases()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      casesOf: async () => [await desk.casesOf([ADA]), await desk.casesOf([])],
      search: async () => [
        await desk.search({ nickName: 'zOë' }, 5),
        await desk.search({ nickName: 'A' }, 5),
        await desk.search({ nickName: 'Ü' }, 5),
        await desk.search({ nickName: 'zoë_' }, 5),
        await desk.search({ nickName: '%' }, 5),
        await desk.search({ nickName: 'ü' }, 5),
        await desk.search({ idStart: 'ID-' }, 2),
        await desk.search({ idStart: 'id-' }, 2),
        await desk.search({ email: 'EVE@example.ORG' }, 5),
      ],
      findAccount: async () => [await desk.findAccount(BOB), await desk.findAccount('nobody')],
      reports: () => desk.reports(BOB, 5),
      findings: () => desk.findings(BOB, 5),
      claim: async () => [await desk.claim(BOB, 0), await desk.claim(BOB, 0), await desk.claim(BOB, 1)],
      record: () =>
        desk.record({ moderator: 'mia', verdict: 'warn', rule: 'guidelines', upheld: true, openedAt: null, at: 5 }),
      decisions: () => desk.decisions(0),
    },
    preservations: {
      add: () => preservations.add(preserved),
      confirm: async () => [
        await preservations.setSent('v1', sentTo),
        await preservations.confirm('v1', 'mia', 6),
        // At once, each on a connection of its own: one of them is first, whichever it is.
        (await Promise.all([1, 2].map(() => preservations.confirm('v1', 'noa', 6)))).sort(),
      ],
      setSent: async () => [await preservations.setSent('v1', sentTo), await preservations.setSent('v1', sentTo)],
      find: async () => [await preservations.find('v1'), await preservations.find('v2')],
      refuse: async () => [
        await preservations.add({ ...preserved, id: 'v2', receipt: 'R2' }),
        await preservations.refuse('v2', 'mia'),
        await preservations.refuse('v2', 'noa'),
        await preservations.refuse('v1', 'noa'),
      ],
      latest: () => preservations.latest(5),
    },
    caseFacts: {
      copy: async () => [await caseFacts.copy(BOB, [BOB, EVE, 'gone']), await caseFacts.copy('nobody', [])],
    },
    idempotency: {
      claim: async () => [
        await idempotency.claim(repeat, { owner: 'o1', now: 1, until: 5, freeRepeats: 1 }),
        await idempotency.claim(repeat, { owner: 'o2', now: 2, until: 5, freeRepeats: 1 }),
      ],
      takeFreeRepeat: async () => [
        await idempotency.takeFreeRepeat(repeat, 2),
        await idempotency.takeFreeRepeat(repeat, 2),
      ],
      complete: async () => [
        await idempotency.complete(repeat, 'o1', '{"x":1}', 9),
        await idempotency.claim(repeat, { owner: 'o2', now: 6, until: 7, freeRepeats: 1 }),
      ],
      release: async () => [await idempotency.release(repeat, 'o2'), await idempotency.release(repeat, 'o1')],
      deleteExpired: () => idempotency.deleteExpired(100),
    },
    sharedSecrets: {
      keep: async () => [await sharedSecrets.keep('a', 'first'), await sharedSecrets.keep('a', 'second')],
    },
    personalData: {
      accountOf: async () => [
        await personalData.accountOf('Google', 'bob'),
        await personalData.accountOf('Facebook', 'bob'),
      ],
      of: async () => [
        await personalData.of(ADA, 99, (other) => `<${other}>`),
        await personalData.of(BOB, 99, (other) => `<${other}>`),
        await personalData.of('nobody', 99, String),
      ],
    },
    legalHolds: {
      set: () => legalHolds.set({ accountId: BOB, reason: 'r', setBy: 'x', at: 1 }),
      all: () => legalHolds.all(),
      accountsOf: async () => [await legalHolds.accountsOf('BOB@example.org'), await legalHolds.accountsOf('x')],
      release: async () => [await legalHolds.release(BOB), await legalHolds.release(BOB)],
    },
    deletions: {
      request: async () => [
        await deletions.request(ADA, 'Facebook', times, code),
        await deletions.request(ADA, 'user', { ...times, dueAt: 60 }, null),
        await deletions.request(BOB, 'user', times, null),
      ],
      pending: async () => [await deletions.pending(ADA), await deletions.pending(EVE)],
      addCode: async () => [
        await deletions.addCode({ digest: 'c2', proof: 'p1' }),
        await deletions.addCode({ digest: 'c3', proof: 'p3' }),
      ],
      recordNothing: () => deletions.recordNothing('Facebook', 5, { digest: 'c4', proof: 'p4' }),
      ready: async () => [await deletions.ready(39, 5), (await deletions.ready(40, 5)).toSorted()],
      cancel: async () => [await deletions.cancel(BOB, 31), await deletions.cancel(BOB, 32)],
      erase: async () => [await deletions.erase(ADA, 39), await deletions.erase(ADA, 40), await accounts.find(ADA)],
      stateOf: () => Promise.all(['c1', 'c2', 'c4', 'c5'].map((digest) => deletions.stateOf(digest))),
    },
    transparency: {
      notices: () => transparency.notices(0, 100),
      contentNotices: () => transparency.contentNotices(0, 100),
      changes: () => transparency.changes(0),
      publish: async () => [
        await transparency.publish(published),
        await transparency.publish(published),
        await transparency.publish({ ...published, to: '2026-07' }),
      ],
      latest: () => transparency.latest(),
      withdraw: async () => [
        await transparency.withdraw({ from: '2026-01', to: '2026-02' }),
        await transparency.withdraw({ from: '2026-01', to: '2026-06' }),
      ],
    },
    expiry: {
      remove: () => expiry.remove('deletion-requests', 1_000, 10),
    },
  }
}

type Answer = { asked: string; answer: unknown }

async function ask(store: Store): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const [repository, methods] of Object.entries(scriptFor(store)))
    for (const [method, run] of Object.entries(methods as Asked<Record<string, unknown>>))
      answers.push({ asked: `${repository}.${method}`, answer: await run() })
  return answers
}

async function answersOf(open: (newId: () => string) => Promise<Store>): Promise<Answer[]> {
  let made = 0
  const store = await open(() => `id-${++made}`)
  try {
    return await ask(store)
  } finally {
    await store.close()
  }
}

test('both kinds of records give the same answers, whatever they are asked', async () => {
  const [one = [], other = []] = await Promise.all(
    backends.map(async ({ make }) => {
      const backend = await make()
      const answers = await answersOf(backend.open)
      await backend.remove()
      return answers
    }),
  )
  expect(one).toEqual(other)
  // Nothing was merely the same because nothing was there.
  const of = (asked: string) => one.find((answer) => answer.asked === asked)?.answer
  expect(of('desk.search')).toEqual([[ADA], [BOB], [EVE], [ADA], [], [], [], [ADA, BOB], [EVE]])
  expect(of('risks.matches')).toEqual([true, 'guidelines', [{ address: true, device: false }], [], true, []])
  expect(of('deletions.erase')).toEqual([false, true, null])
  expect(of('preservations.confirm')).toEqual([false, false, [false, true]])
  expect(of('preservations.refuse')).toEqual([undefined, false, true, false])
  expect(of('findings.count')).toEqual([1, 0])
  expect(of('profiles.findShown')).toEqual([{ thumbnail: chosen.thumbnail, check: 'passed' }, null])
  expect(of('relations.metBy')).toEqual([[[BOB, EVE], [ADA, BOB], [ADA, EVE], [], [BOB, EVE]]])
  expect(of('relations.blockedWith')).toEqual([
    [ADA],
    [],
    undefined,
    undefined,
    [[BOB, EVE], [ADA], [ADA], [], [BOB, EVE]],
  ])
  const plain = { status: 'Valid', hasProfile: true, languages: [], interests: [] }
  const wishes = { ...plain, languages: ['es', 'en'], interests: ['über', 'chess'] }
  expect(of('accounts.admission')).toEqual([plain, true, wishes, null, [plain, plain, wishes, null, wishes, plain]])
  expect(of('partners.partnerIn')).toEqual([undefined, BOB, ADA, null, undefined, null, null])
})

test('behind PgBouncer, which may give each transaction another connection, they are the same', async () => {
  const pgbouncer = await startPgBouncer(postgresPort())
  onTestFinished(pgbouncer.stop)
  // An empty database: the tables are made behind PgBouncer, too.
  const [through, direct] = [await newDatabase(postgresPort(), pgbouncer.port), await newDatabase(postgresPort())]
  const [one, other] = await Promise.all(
    [through, direct].map((url) => answersOf((newId) => openDatabaseAt(url, { newId }))),
  )
  expect(one).toEqual(other)
})
