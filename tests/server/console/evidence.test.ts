import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { loadSecrets } from '../../../server/config/secrets.ts'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import type { EvidenceFacts } from '../../../server/moderation/rules/evidence-ports.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { createSharedSecrets } from '../../../server/platform/database/platform-records.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, type ConsoleVisitor, logIn, operatorCommand } from '../../support/stores/moderators.ts'

const [lars, mona, nora] = [randomUUID(), randomUUID(), randomUUID()]
const at = Date.now() - 60_000
const ids = { seen: 'seen', own: 'own', forged: 'forged', spoiled: 'spoiled', waiting: 'waiting' }

/** As of the seeded report. */
const session = `${lars}-${mona}-${at}`

let dataDir: string
let server: TestServer
let mia: ConsoleVisitor
let picture: Buffer

beforeAll(async () => {
  dataDir = await migratedFolder()
  picture = await jpegOf({ width: 64, height: 48 })
  const db = await openDatabase(dataDir)
  const { evidence } = await loadSecrets(readConfig({ DATA_DIR: dataDir }), createSharedSecrets(db))
  const vault = createEvidenceVault(evidence)
  const seal = (facts: Pick<EvidenceFacts, 'id' | 'kind' | 'uploader' | 'session'>, print: string | null = null) =>
    vault.seal({ ...facts, print, subject: mona, reporter: lars, userSession: 'visit', at }, picture)
  await seedPeople(
    db,
    [lars, mona, nora].map((id) => ({ id })),
    at,
  )
  await seedReports(db, [{ reporter: lars, reported: mona, at }])
  const seen = seal({ id: ids.seen, kind: 'reporters-view', uploader: lars, session }, '0'.repeat(64))
  const own = seal({ id: ids.own, kind: 'own-camera', uploader: mona, session }, 'f'.repeat(64))
  // Nora's picture; its row is changed below to name Mona, as somebody with write access to the database could.
  const forged = seal({ id: ids.forged, kind: 'own-camera', uploader: nora, session: 'second' })
  const spoiled = seal({ id: ids.spoiled, kind: 'reporters-view', uploader: lars, session: 'third' })
  const waiting = seal({ id: ids.waiting, kind: 'waiting', uploader: mona, session: 'fourth' })
  await db
    .insertInto('evidence')
    .values([
      seen,
      own,
      { ...forged, uploader: mona },
      { ...spoiled, sealed: spoiled.sealed.map((byte, index) => (index === 40 ? byte ^ 1 : byte)) },
      waiting,
    ])
    .execute()
  await db.destroy()
  server = await startServer({}, { dataDir })
  mia = await logIn(server, await addModerator(dataDir, 'mia'))
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a case lists the pictures of both sides without their bytes, and not those that wait for a report', async () => {
  const { evidence } = await mia.requestConsole('readCase', { id: mona })
  expect(evidence).toContainEqual({
    id: 'seen',
    kind: 'reporters-view',
    session,
    reporter: lars.slice(0, 8),
    at,
  })
  expect(evidence).toContainEqual({ id: 'own', kind: 'own-camera', session, reporter: lars.slice(0, 8), at })
  expect(evidence.map(({ id }) => id)).not.toContain('waiting')
})

test('a report says that its two pictures do not agree, and the case is as it was', async () => {
  const { openReports, status } = await mia.requestConsole('readCase', { id: mona })
  expect(openReports.map(({ agreement }) => agreement)).toEqual(['disagree'])
  expect(status).toBe('Valid')
})

test('both pictures are returned with a valid signature', async () => {
  for (const id of [ids.seen, ids.own]) {
    const { jpeg } = await mia.requestConsole('openEvidence', { caseId: mona, id })
    expect(Buffer.from(jpeg ?? '', 'base64').equals(picture)).toBe(true)
  }
})

test.each([ids.forged, ids.spoiled])('a picture whose bytes or facts were changed is not returned: %s', async (id) => {
  expect(await mia.requestConsole('openEvidence', { caseId: mona, id })).toEqual({ jpeg: null })
})

test('evidence opens from its own case only', async () => {
  for (const [caseId, id] of [
    [nora, ids.seen],
    [mona, ids.waiting],
    [mona, 'nothing'],
  ] as const)
    expect((await mia.sendToConsole('openEvidence', { caseId, id })).status).toBe(404)
})

test('every opened picture is in the audit, also one with an invalid signature', async () => {
  const lines = (await operatorCommand(dataDir, { do: 'audit' }))
    .split('\n')
    .filter((line) => line.includes('evidence-opened'))
  const looks = lines.map((line) => line.split('  ').slice(3))
  expect(looks).toEqual([
    ['evidence-opened', mona, 'seen'],
    ['evidence-opened', mona, 'own'],
    ['evidence-opened', mona, 'forged, not as it was signed'],
    ['evidence-opened', mona, 'spoiled, not as it was signed'],
  ])
})
