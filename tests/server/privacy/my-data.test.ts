import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { myDataSchema } from '#protocol/my-data.ts'
import { jpeg } from '../../support/pictures/pictures.ts'
import { newVisitor, type SignedInVisitor, signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ CLIENT_LOGS: 'Info' })
})
afterAll(() => server.stop())

const stay = {
  expected: 6,
  came: 5,
  black: 1,
  changed: 0,
  longestGapMs: 20_000,
  sameFrameRepeated: 2,
  suspicious: 0,
}
const sealed = {
  session: 'm1',
  userSession: 'u',
  sha256: 'x',
  print: null,
  keyId: 'k',
  signature: 's',
  sealed: new TextEncoder().encode('a picture'),
}

const details = {
  reason: 'other',
  note: 'her own words',
  curtain: { model: 'her model', flagged: 2, looks: 3 },
} as const

const exportOf = (visitor: SignedInVisitor) => visitor.request('exportData', undefined)

test('the export contains everything about the user, and other users only under an opaque name', async () => {
  const ada = await signIn(server, { email: 'ada@example.org' })
  const bob = await signIn(server, { email: 'bob@example.org', firstName: 'Bob' })
  const place = { IpAddress: '192.0.2.77', HostName: 'NA', City: 'Bern', Country: 'CH', Coordinates: 'NA' }
  await ada.request('addIp', { UserSessionId: ada.sessionId, ...place })
  await ada.request('addProfile', {
    EmailAddress: ada.email,
    NickName: 'Ada',
    Gender: 'girl',
    DOB: '1990-12-10',
    ConsentAgreed: 'true',
    file: { blob: await jpeg(), fileName: 'profile.jpg' },
  })
  const line = { logLevel: 'Info', platform: 'Web', dateTime: '2026-11-21T08:00:00Z' } as const
  await ada.request('addLogs', [{ ...line, userSessionId: ada.sessionId, logMessage: 'hers' }])
  await bob.request('addLogs', [{ ...line, userSessionId: bob.sessionId, logMessage: 'his' }])
  const start = Date.now()
  let peer = ''
  await server.edit(async (store) => {
    const account = await accountOf(store, ada.email)
    const me = account.id
    peer = (await accountOf(store, bob.email)).id
    await store.reports.add({
      session: 'm1',
      reporter: me,
      reported: peer,
      type: 'ReportOnly',
      callMs: null,
      ...confirmedCall,
      at: start,
      details,
    })
    await store.reports.add({
      session: 'm1',
      reporter: peer,
      reported: me,
      type: 'ReportOnly',
      callMs: null,
      ...confirmedCall,
      at: start + 1,
      details: { reason: 'spam', note: 'words about her', curtain: { model: 'his model', flagged: 1, looks: 2 } },
    })
    await store.relations.recordMet(me, peer, start + 2)
    await store.relations.block(me, peer, start + 3)
    const suspended = { reason: '4 people reported', at: start + 4, until: start + 1_000 }
    await putStatus(store, account, 'Appeal', suspended)
    const appealed = { by: { kind: 'user', id: me }, reason: 'Appeal', at: start + 5 } as const
    await putStatus(store, { ...account, status: 'Appeal' }, 'InReview', appealed)
    const seen = { by: { kind: 'moderator', id: 'moderator-7' }, what: 'moderator', rule: 'no-scams' } as const
    await putStatus(store, { ...account, status: 'InReview' }, 'Blocked', { ...seen, reason: 'seen', at: start + 6 })
    await store.frames.record([
      {
        accountId: me,
        sessionId: ada.sessionId,
        kind: 'dashboard',
        bytes: 1,
        width: 1,
        height: 1,
        at: start + 7,
      },
    ])
    const finding = { session: ada.sessionId, label: 'Porn', score: 0.9, at: start + 10 }
    await store.findings.add(me, finding)
    await store.signals.add({ ...stay, accountId: me, from: start, at: start + 11 })
    const pictures = [
      { id: 'e1', kind: 'reporters-view', uploader: me, subject: peer, reporter: me, at: start + 12 },
      { id: 'e2', kind: 'own-camera', uploader: me, subject: me, reporter: peer, at: start + 13 },
      { id: 'e3', kind: 'reporters-view', uploader: peer, subject: me, reporter: peer, at: start + 14 },
    ] as const
    for (const picture of pictures) await store.evidence.add({ ...sealed, ...picture })
    await store.matchRecords.open({ id: 'm1', caller: me, callee: peer, startedAt: start + 8, connected: true })
    await store.matchRecords.close('m1', start + 9, null)
  })

  // A blocked user may export as well.
  const response = await ada.send('exportData', undefined)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).not.toContain('192.0.2.77')
  for (const secret of [
    bob.email,
    'Bob',
    peer,
    'his',
    'moderator-7',
    'a picture',
    'words about her',
    'his model',
    'spam',
  ])
    expect(text).not.toContain(`"${secret}"`)
  const data = v.parse(myDataSchema, JSON.parse(text))
  const at = (ms: number) => new Date(start + ms).toISOString()
  expect(data.account).toMatchObject({ email: ada.email, subject: ada.email, provider: 'Google', status: 'Blocked' })
  expect(data.profile).toMatchObject({ nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' })
  const picture = Buffer.from(data.profile?.picture?.base64 ?? '', 'base64')
  expect(picture.subarray(8, 12).toString()).toBe('WEBP')
  expect(data.consents).toHaveLength(1)
  expect(data.sessions).toMatchObject([{ browser: 'Chrome', network: { city: 'Bern', country: 'CH' } }])
  expect(data.logins).toHaveLength(1)
  expect(data.logEntries.map(({ message }) => message)).toEqual(['hers'])
  const reports = { what: 'reports', rule: 'guidelines' }
  expect(data.statusHistory).toEqual([
    {
      from: 'Valid',
      status: 'Appeal',
      by: 'rules',
      ...reports,
      reason: '4 people reported',
      at: at(4),
      until: at(1_000),
    },
    { from: 'Appeal', status: 'InReview', by: 'you', ...reports, reason: 'Appeal', at: at(5), until: null },
    {
      from: 'InReview',
      status: 'Blocked',
      by: 'moderator',
      what: 'moderator',
      rule: 'no-scams',
      reason: 'seen',
      at: at(6),
      until: null,
    },
  ])
  expect(data.appeals).toEqual([{ at: at(5) }])
  expect(data.reportsReceived).toBe(1)
  const undecided = { outcome: null, decidedAt: null }
  const [report] = data.reportsMade
  expect(data.reportsMade).toEqual([
    { about: report?.about, type: 'ReportOnly', ...details, callMs: null, at: at(0), ...undecided },
  ])
  expect(data.blocked).toEqual([{ whom: report?.about, at: at(3) }])
  expect(data.met).toEqual([{ whom: report?.about, at: at(2) }])
  expect(await ada.request('readBlockList', { userEmailAddress: ada.email })).toEqual([report?.about])
  expect(data.calls).toEqual([{ startedAt: at(8), endedAt: at(9), connected: true }])
  expect(data.frames).toEqual([{ kind: 'dashboard', count: 1, first: at(7), last: at(7) }])
  expect(data.deletions).toEqual([])
  expect(data.findings).toEqual([{ label: 'Porn', score: 0.9, at: at(10), ...undecided }])
  expect(data.frameSignals).toEqual([{ ...stay, from: at(0), at: at(11) }])
  expect(data.evidence).toEqual([
    { kind: 'reporters-view', about: report?.about, at: at(12) },
    { kind: 'own-camera', about: 'you', at: at(13) },
  ])
  expect(data.evidenceReceived).toBe(1)
  expect(data.traces.map(({ kind }) => kind)).toContain('device')
})

test('the export of a new user has the same parts, empty', async () => {
  const eve = await signIn(server, { email: 'eve@example.org', profile: false })
  expect(Object.keys(await exportOf(eve)).sort()).toEqual(Object.keys(myDataSchema.entries).sort())
  expect(await exportOf(eve)).toMatchObject({ profile: null, consents: [], met: [], reportsReceived: 0 })
})

test('the export needs a login and is limited to five in ten minutes', async () => {
  expect((await newVisitor(server).send('exportData', undefined)).status).toBe(401)
  const carl = await signIn(server, { email: 'carl@example.org' })
  for (let round = 0; round < 5; round += 1) expect((await carl.send('exportData', undefined)).status).toBe(200)
  const refused = await carl.send('exportData', undefined)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})
