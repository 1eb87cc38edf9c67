import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WAIT_MS } from '../../scripts/test-limits.ts'
import { readConfig } from '../../server/config/config.ts'
import { type Database, openDatabase } from '../../server/platform/database/database.ts'
import { openPostgres } from '../../server/platform/database/postgres.ts'
import { noLog } from '../../server/platform/database/postgres-pool.ts'
import { newDatabase } from '../support/servers/postgres.ts'
import { type SignedInVisitor, signIn, startServer } from '../support/servers/server.ts'
import { confirmedCall } from '../support/stores/confirmed-call.ts'
import { accountOf, putStatus } from '../support/stores/put-status.ts'
import { openRecords } from '../support/stores/store.ts'
import { postgresPort } from '../support/stores/stores.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newFolder = () => join(folder, randomUUID())
const newUrl = () => newDatabase(postgresPort())
const openUrl = (url: string) => openPostgres({ url, poolSize: 2, timeoutMs: WAIT_MS }, noLog)

/** The kinds of databases; `newDatabase` creates an empty one. */
const kinds = [
  {
    name: 'SQLite',
    newDatabase: async () => ({ DATA_DIR: newFolder() }),
    open: ({ DATA_DIR = '' }: Record<string, string>) => openDatabase(DATA_DIR),
  },
  {
    name: 'PostgreSQL',
    newDatabase: async () => ({ DATABASE_URL: await newUrl() }),
    open: ({ DATABASE_URL = '' }: Record<string, string>) => openUrl(DATABASE_URL),
  },
]

/** The data folder, which a server with PostgreSQL has too. */
const folderOf = ({ DATA_DIR = newFolder() }: Record<string, string>) => DATA_DIR

async function backup(env: Record<string, string>, ...words: string[]): Promise<{ code: number; text: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/backup.ts', ...words], {
      env: { ...process.env, NODE_ENV: 'test', ...env },
    })
    return { code: 0, text: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, text: stderr }
  }
}

/** Resolves with every row of every table. */
async function everything(db: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: true })) {
    const found = await sql`select * from ${sql.table(name)}`.execute(db)
    rows[name] = found.rows.map((row) => JSON.stringify(row)).toSorted()
  }
  await db.destroy()
  return rows
}

/** Adds accounts and a login that a backup must restore. */
async function live(server: Parameters<typeof signIn>[0]): Promise<SignedInVisitor> {
  await signIn(server, { email: 'bad@example.org' })
  return signIn(server, { email: 'ada@example.org', nickName: 'Zoë' })
}

async function fill(env: Record<string, string>): Promise<void> {
  const store = await openRecords(readConfig(env))
  const [ada, bad] = [await accountOf(store, 'ada-2@example.org'), await accountOf(store, 'bad-2@example.org')]
  await store.reports.add({
    session: 'm',
    reporter: ada.id,
    reported: bad.id,
    type: 'ReportOnly',
    callMs: 5,
    ...confirmedCall,
    at: 1,
  })
  await putStatus(store, bad, 'Appeal')
  await putStatus(store, { ...bad, status: 'Appeal' }, 'InReview')
  await putStatus(store, { ...bad, status: 'InReview' }, 'Blocked')
  await store.audit.add({ at: 1, moderator: 'mia', session: null, action: 'look', whom: bad.id, what: 'case' })
  const picture = {
    userSession: 'u',
    sha256: 'x',
    print: null,
    at: 1,
    keyId: 'k',
    signature: 's',
    reporter: ada.id,
    session: 'm',
  }
  const sealed = new Uint8Array([0, 1, 2, 254, 255])
  await store.evidence.add({ ...picture, id: 'e', kind: 'flagged', uploader: bad.id, subject: bad.id, sealed })
  await store.close()
}

test.each(kinds)('a restored backup of $name has every record, and logins are still valid', async (kind) => {
  const { newDatabase, open } = kind
  const [here, there, copy] = [await newDatabase(), await newDatabase(), newFolder()]
  await fill(here)
  const server = await startServer(here, { dataDir: folderOf(here) })
  const ada = await live(server)

  // While the server runs.
  expect(await backup(here, 'make', copy)).toMatchObject({ code: 0, text: expect.stringContaining(copy) })
  expect((await stat(copy)).mode & 0o077).toBe(0)
  await server.stop()
  const before = await everything(await open(here))
  expect(before.accounts).toHaveLength(4)
  expect(before.evidence).toHaveLength(1)

  expect(await backup(there, 'restore', copy)).toMatchObject({ code: 0 })
  expect(await everything(await open(there))).toEqual(before)
  const next = await startServer(there, { dataDir: folderOf(there) })
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ')
  const address = `${next.origin}/api/users/block/get?userEmailAddress=${encodeURIComponent(ada.email)}`
  const response = await fetch(address, { headers: { cookie } })
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'Valid' }])
  await next.stop()

  // A restore does not change a database with records.
  const again = await everything(await open(there))
  expect(await backup(there, 'restore', copy)).toMatchObject({ code: 1 })
  expect(await everything(await open(there))).toEqual(again)
  expect(await backup(here, 'make', copy)).toMatchObject({ code: 1 })
})

test('a backup needs no running server, and an error is one line', async () => {
  const env = { DATA_DIR: newFolder() }
  await fill(env)
  const copy = newFolder()
  expect(await backup(env, 'make', copy)).toMatchObject({ code: 0 })
  expect(existsSync(join(copy, 'waggle.sqlite'))).toBe(true)
  expect(await backup(env, 'make', join(folder, 'no', 'such'))).toMatchObject({
    code: 1,
    text: /cannot be used: .*\n$/,
  })

  const spoilt = newFolder()
  await mkdir(spoilt)
  await writeFile(join(spoilt, 'waggle.sqlite-wal'), 'x')
  const refused = await backup({ DATA_DIR: spoilt }, 'restore', copy)
  expect(refused).toMatchObject({
    code: 1,
    text: expect.stringMatching(/waggle\.sqlite-wal must be moved away first\n$/),
  })
  expect(existsSync(join(spoilt, 'waggle.sqlite'))).toBe(false)
  expect(await backup(env, 'make')).toMatchObject({ code: 1, text: expect.stringMatching(/^Usage: .*\n$/) })
})
