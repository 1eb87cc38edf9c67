import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { readConfig } from '../../../server/config/config.ts'
import { loadSecrets } from '../../../server/config/secrets.ts'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { createSharedSecrets } from '../../../server/platform/database/platform-records.ts'
import { expiredBefore, keptUntilOld } from '../../../server/privacy/rules/retention.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, type ConsoleVisitor, logIn, operatorCommand } from '../../support/stores/moderators.ts'
import type { Store } from '../../support/stores/store.ts'

const [lars, mona] = [randomUUID(), randomUUID()]
const at = Date.now() - 60_000
const session = `${lars}-${mona}-${at}`
const incident = {
  incidentType: 'Online Enticement of Children for Sexual Acts',
  seen: 'A <b>child</b>, and a demand',
} as const

let dataDir: string
let server: TestServer
let mia: ConsoleVisitor
let noa: ConsoleVisitor
let picture: Buffer

beforeAll(async () => {
  dataDir = await migratedFolder()
  picture = await jpegOf({ width: 64, height: 48 })
  const db = await openDatabase(dataDir)
  const { evidence } = await loadSecrets(readConfig({ DATA_DIR: dataDir }), createSharedSecrets(db))
  const vault = createEvidenceVault(evidence)
  const facts = { subject: mona, reporter: lars, session, userSession: 'visit', print: null, at }
  await seedPeople(db, [{ id: lars }, { id: mona, nickName: 'Mona' }], at)
  await seedReports(db, [{ reporter: lars, reported: mona, at }])
  await db.updateTable('reports').set({ reason: 'under-18', note: 'She said she is 12' }).execute()
  const match = { id: session, caller: lars, callee: mona, connected: 1, callerSawAt: null, calleeSawAt: null }
  await db
    .insertInto('liveSessions')
    .values({ ...match, startedAt: at - 9, answeredAt: at - 8, endedAt: at })
    .execute()
  const login = { id: 'visit', accountId: mona, ownerId: mona, createdAt: at, enteredAt: at, attachedAt: at }
  const device = { browser: 'Firefox', device: 'desktop', os: 'Linux', city: null, country: null, signedInAt: at }
  await db
    .insertInto('userSessions')
    .values({ ...login, ...device })
    .execute()
  await db.insertInto('ipDetails').values({ sessionId: 'visit', city: 'Bern', country: 'CH' }).execute()
  const seen = vault.seal({ ...facts, id: 'seen', kind: 'reporters-view', uploader: lars }, picture)
  const own = vault.seal({ ...facts, id: 'own', kind: 'own-camera', uploader: mona }, picture)
  await db
    .insertInto('evidence')
    .values([seen, { ...own, session: 'forged' }])
    .execute()
  await db.destroy()
  server = await startServer({}, { dataDir })
  mia = await logIn(server, await addModerator(dataDir, 'mia'))
  noa = await logIn(server, await addModerator(dataDir, 'noa'))
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const statusOf = async (response: Promise<Response>) => (await response).status

test('a second moderator confirms what the first preserved; it outlasts account and clean-up and ends after a year', async () => {
  await mia.requestConsole('openEvidence', { caseId: mona, id: 'seen' })
  const { id, receipt } = await mia.requestConsole('preserveCase', { caseId: mona, ...incident })
  expect(receipt).toMatch(/^[0-9A-F]{12}$/)
  const sentTo = { id, authority: 'NCMEC', authorityReference: '123' }
  expect(await statusOf(mia.sendToConsole('judgePreservation', { id, isRight: true }))).toBe(409)
  expect(await statusOf(mia.sendToConsole('judgePreservation', { id, isRight: false }))).toBe(409)
  expect(await statusOf(noa.sendToConsole('exportPreservation', { id }))).toBe(409)
  expect(await statusOf(noa.sendToConsole('recordPreservationSent', sentTo))).toBe(409)
  const opened = await noa.requestConsole('openPreservation', { id })
  expect(opened).toMatchObject({ seen: incident.seen, reports: [{ reason: 'under-18', note: 'She said she is 12' }] })
  expect(Object.fromEntries(opened.pictures.map(({ id: one, jpeg }) => [one, jpeg]))).toEqual({
    seen: picture.toString('base64'),
    own: null,
  })
  await noa.requestConsole('judgePreservation', { id, isRight: true })
  expect(await statusOf(noa.sendToConsole('judgePreservation', { id, isRight: false }))).toBe(409)

  const { report } = await mia.requestConsole('exportPreservation', { id })
  expect(report).toMatchObject({
    receiptNumber: receipt,
    incidentSummary: { incidentType: incident.incidentType, incidentDateTime: new Date(at).toISOString() },
    internetDetails: { chatImIncident: { matches: [{ id: session, caller: lars, callee: mona }] } },
    reporter: { preservedBy: 'mia', confirmedBy: 'noa' },
    sentTo: null,
    personOrUserReported: {
      espUserId: mona,
      screenName: 'Mona',
      email: `${mona}@example.org`,
      ipCaptureEvents: [{ dateTime: new Date(at).toISOString(), browser: 'Firefox', city: 'Bern', country: 'CH' }],
    },
    otherPersons: [{ espUserId: lars }],
    fileDetails: expect.arrayContaining([
      expect.objectContaining({
        fileId: 'seen',
        originalFileHash: { hashType: 'SHA-256', value: createHash('sha256').update(picture).digest('hex') },
        viewedByEsp: true,
        content: { mimeType: 'image/jpeg', base64: picture.toString('base64') },
      }),
      expect.objectContaining({ fileId: 'own', viewedByEsp: false, isAsReceived: false, content: null }),
    ]),
    additionalInfo: { whatWasSeen: incident.seen, reports: [{ reporter: lars, note: 'She said she is 12' }] },
  })
  const { sentAt } = await noa.requestConsole('recordPreservationSent', sentTo)
  expect(await statusOf(mia.sendToConsole('recordPreservationSent', sentTo))).toBe(409)

  const cleanUp = async (store: Store, days: number) => {
    for (const kind of keptUntilOld)
      await store.expiry.remove(kind, expiredBefore(kind, (sentAt ?? 0) + days * DAY_MS, {}), 100)
  }
  await server.edit(async (store) => {
    // The person's own export does not tell of it.
    const own = JSON.stringify(await store.personalData.of(mona, 1, String))
    expect(own).toContain('Mona')
    expect(own).not.toMatch(new RegExp(`${receipt}|preserv|NCMEC`, 'i'))
    await store.deletions.request(mona, 'user', { requestedAt: 1, startAt: 2, dueAt: 3 }, null)
    expect(await store.deletions.erase(mona, 3)).toBe(true)
    await store.evidence.expire(Date.now())
    await cleanUp(store, 365)
  })
  expect(await statusOf(mia.sendToConsole('preserveCase', { caseId: mona, ...incident }))).toBe(404)
  const later = (await mia.requestConsole('exportPreservation', { id })).report
  expect(later).toEqual({ ...report, sentTo: expect.objectContaining({ authority: 'NCMEC', reference: '123' }) })
  await server.edit((store) => cleanUp(store, 367))
  expect(await mia.requestConsole('readPreservations', undefined)).toEqual({ preservations: [] })
})

test('a refusal by the second moderator deletes the copy, and every step is in the audit without what was seen', async () => {
  const { id } = await noa.requestConsole('preserveCase', { caseId: lars, ...incident })
  expect(await mia.requestConsole('judgePreservation', { id, isRight: false })).toEqual({ preservation: null })
  expect(await statusOf(mia.sendToConsole('openPreservation', { id }))).toBe(404)
  const lines = (await operatorCommand(dataDir, { do: 'audit' }))
    .split('\n')
    .filter((line) => line.includes('preservation-'))
  expect(new Set(lines.map((line) => /preservation-[\w-]+/.exec(line)?.[0]))).toEqual(
    new Set(
      ['made', 'opened', 'confirmed', 'exported', 'sent', 'sent-refused', 'refused'].map(
        (step) => `preservation-${step}`,
      ),
    ),
  )
  expect(lines.join()).not.toMatch(/child|NCMEC|@/)
})
