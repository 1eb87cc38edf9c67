import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { loadSecrets } from '../../../server/config/secrets.ts'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import type { EvidenceFacts } from '../../../server/moderation/rules/evidence-ports.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { createSharedSecrets } from '../../../server/platform/database/shared-secrets.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { addModerator, type ConsoleVisitor, logIn, moderatorCommand } from '../../support/stores/moderators.ts'

const [lars, mona, nora] = [randomUUID(), randomUUID(), randomUUID()]
const at = Date.now() - 60_000
const ids = { seen: 'seen', own: 'own', forged: 'forged', spoiled: 'spoiled', waiting: 'waiting' }

let dataDir: string
let server: TestServer
let mia: ConsoleVisitor
let picture: Buffer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'console-evidence-'))
  picture = await jpegOf({ width: 64, height: 48 })
  const db = await openDatabase(dataDir)
  const { evidence } = await loadSecrets(readConfig({ DATA_DIR: dataDir }), createSharedSecrets(db))
  const vault = createEvidenceVault(evidence)
  const close = (facts: Pick<EvidenceFacts, 'id' | 'kind' | 'uploader' | 'session'>) =>
    vault.close({ ...facts, subject: mona, reporter: lars, userSession: 'visit', at }, picture)
  await seedPeople(
    db,
    [lars, mona, nora].map((id) => ({ id })),
    at,
  )
  await seedReports(db, [{ reporter: lars, reported: mona, at }])
  const seen = close({ id: ids.seen, kind: 'reporters-view', uploader: lars, session: 'first' })
  const own = close({ id: ids.own, kind: 'own-camera', uploader: mona, session: 'first' })
  // Nora's own picture, put by somebody who can write to the records where it looks like Mona's.
  const forged = close({ id: ids.forged, kind: 'own-camera', uploader: nora, session: 'second' })
  const spoiled = close({ id: ids.spoiled, kind: 'reporters-view', uploader: lars, session: 'third' })
  const waiting = close({ id: ids.waiting, kind: 'waiting', uploader: mona, session: 'fourth' })
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

test('a case names the pictures of both sides and shows none of them; those that wait for a report are not named', async () => {
  const { evidence } = await mia.take('readCase', { id: mona })
  expect(evidence).toContainEqual({
    id: 'seen',
    kind: 'reporters-view',
    session: 'first',
    reporter: lars.slice(0, 8),
    at,
  })
  expect(evidence).toContainEqual({ id: 'own', kind: 'own-camera', session: 'first', reporter: lars.slice(0, 8), at })
  expect(evidence.map(({ id }) => id)).not.toContain('waiting')
})

test('both pictures come as they were signed', async () => {
  for (const id of [ids.seen, ids.own]) {
    const { jpeg } = await mia.take('openEvidence', { caseId: mona, id })
    expect(Buffer.from(jpeg ?? '', 'base64').equals(picture)).toBe(true)
  }
})

test.each([ids.forged, ids.spoiled])('a picture or facts that were changed are shown to nobody: %s', async (id) => {
  expect(await mia.take('openEvidence', { caseId: mona, id })).toEqual({ jpeg: null })
})

test('evidence is opened from its own case alone', async () => {
  for (const [caseId, id] of [
    [nora, ids.seen],
    [mona, ids.waiting],
    [mona, 'nothing'],
  ] as const)
    expect((await mia.ask('openEvidence', { caseId, id })).status).toBe(404)
})

test('every look is in the audit, also a look at what is not as it was signed', async () => {
  const lines = (await moderatorCommand(dataDir, 'audit'))
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
