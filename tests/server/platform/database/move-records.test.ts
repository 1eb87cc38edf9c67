import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sized } from '../../../../scripts/test-limits.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { RECORDS_FILE } from '../../../../server/platform/database/database.ts'
import { moveRecords } from '../../../../server/platform/database/move/move-records.ts'
import { newDatabase } from '../../../support/servers/postgres.ts'
import { startServer } from '../../../support/servers/server.ts'
import { dumpTables, fillTables } from '../../../support/stores/fill-tables.ts'
import { migratedDatabase, migratedFolder } from '../../../support/stores/migrated.ts'
import { openStore } from '../../../support/stores/store.ts'
import { openDatabaseAt, postgresPort } from '../../../support/stores/stores.ts'

const KILLS = sized(3, 6)
/** After how many tables each kill comes, spread over the first thirty. */
const killsAfter = Array.from({ length: KILLS }, (_, kill) => Math.round((kill * 30) / KILLS) + 1)

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'move-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function filledFolder(): Promise<string> {
  const folder = await migratedFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  fillTables(join(folder, RECORDS_FILE))
  return folder
}

const fileOf = (folder: string) => join(folder, RECORDS_FILE)

async function move(to: 'postgres' | 'sqlite', folder: string, url: string, watchMs = 0): Promise<string[]> {
  const lines: string[] = []
  await moveRecords(to, readConfig({ DATA_DIR: folder, DATABASE_URL: url }), {
    log: (line) => lines.push(line),
    watchMs,
  })
  return lines
}

function edit(folder: string, statement: string): void {
  const db = new DatabaseSync(fileOf(folder))
  db.exec(statement)
  db.close()
}

async function ask(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}

test('every row of every table goes to PostgreSQL and back, unchanged, and new rows get new numbers', async () => {
  const [from, back, url] = [await filledFolder(), await emptyFolder(), await newDatabase(postgresPort())]
  const before = dumpTables(fileOf(from))
  expect(Object.entries(before).filter(([, rows]) => rows.length < 3)).toEqual([])
  await move('postgres', from, url)
  expect(dumpTables(fileOf(from))).toEqual(before)
  await move('sqlite', back, url)
  expect(dumpTables(fileOf(back))).toEqual(before)

  const store = await openDatabaseAt(url)
  onTestFinished(() => store.close())
  const entry = { userSessionId: 's', logMessage: 'x', logLevel: 'Info', platform: 'Web', dateTime: 'x' } as const
  expect(await store.logs.add([entry], null, 1)).toBe(true)
  expect(await ask(url, 'select max(id)::int as id from log_entries')).toEqual([{ id: 85 }])
})

test('text that PostgreSQL cannot store is altered and named; a large picture is not', async () => {
  const [from, url] = [await filledFolder(), await newDatabase(postgresPort())]
  edit(from, "update accounts set first_name = 'a' || char(0) || 'b' where rowid = 1")
  edit(from, "update accounts set first_name = cast(x'eda080' as text) where rowid = 2")
  edit(from, 'update profiles set picture = randomblob(30000000) where rowid = 1')
  const lines = await move('postgres', from, url)
  expect(lines).toContainEqual(expect.stringMatching(/^accounts\.first_name: in 2 rows/))
  const names = await ask(url, "select first_name as name from accounts where first_name like '%\ufffd%'")
  expect(names.map(({ name }) => name).sort()).toEqual(['a\ufffdb', '\ufffd\ufffd\ufffd'].sort())
  expect(await ask(url, 'select max(length(picture)) as most from profiles')).toEqual([{ most: 30_000_000 }])
})

test.each([
  ["update accounts set created_at = 'soon' where rowid = 1", 'accounts.created_at (1)'],
  ['update frames set bytes = 3000000000', 'frames.bytes (12)'],
  ["update accounts set email = x'00' where rowid = 1", 'accounts.email (1)'],
])(
  'a value that does not fit its column is refused by name, and the target stays without records: %s',
  async (statement, named) => {
    const [from, url] = [await filledFolder(), await newDatabase(postgresPort())]
    edit(from, statement)
    await expect(move('postgres', from, url)).rejects.toThrow(named)
    expect(await ask(url, 'select count(*)::int as count from accounts')).toEqual([{ count: 0 }])
    await expect(openDatabaseAt(url)).rejects.toThrow('A move of records into this database has not ended')
  },
)

test('a target with records is refused, in both directions', async () => {
  const [from, url] = [await filledFolder(), await migratedDatabase(postgresPort())]
  await move('postgres', from, url)
  await expect(move('postgres', from, url)).rejects.toThrow('The target must be empty')
  await expect(move('sqlite', from, url)).rejects.toThrow('The target must be empty')
  await (await openDatabaseAt(url)).close()
})

test('while a server runs on either database nothing is moved', async () => {
  const url = await newDatabase(postgresPort())
  const sqlite = await startServer()
  onTestFinished(sqlite.stop)
  await expect(move('postgres', sqlite.dataDir, url)).rejects.toThrow('is used by another server')

  const postgres = await startServer({ DATABASE_URL: url })
  onTestFinished(postgres.stop)
  await expect(move('sqlite', await emptyFolder(), url)).rejects.toThrow('Stop all servers')
})

test('a server that connects to the source during the move ends it, and the target is refused', async () => {
  const [from, back, url] = [await filledFolder(), await emptyFolder(), await newDatabase(postgresPort())]
  await move('postgres', from, url)
  const client = new Client({ connectionString: url })
  onTestFinished(() => client.end())
  const moving = moveRecords('sqlite', readConfig({ DATA_DIR: back, DATABASE_URL: url }), {
    log: (line) => void (line.startsWith('accounts:') && client.connect()),
    watchMs: 60_000,
  })
  await expect(moving).rejects.toThrow('Stop all servers')
  await expect(openStore(back, () => 'id')).rejects.toThrow('A move of records into this database has not ended')
})

test('a move that is killed at any moment leaves nothing or everything, and can begin again', async () => {
  const [from, url] = [await filledFolder(), await newDatabase(postgresPort())]
  const accounts = "select count(*)::int as count from information_schema.tables where table_name = 'accounts'"
  for (let left of killsAfter) {
    const child = spawn(process.execPath, ['scripts/move-records.ts', 'postgres'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE_ENV: 'test', DATA_DIR: from, DATABASE_URL: url },
    })
    child.stdout.on('data', (part: Buffer) => {
      left -= part.toString().split('\n').length - 1
      if (left <= 0) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    expect(await ask(url, accounts)).toEqual([{ count: 1 }])
    expect(await ask(url, 'select count(*)::int as count from accounts')).toEqual([{ count: 0 }])
    await expect(openDatabaseAt(url)).rejects.toThrow('A move of records into this database has not ended')
  }
  await move('postgres', from, url)
  const back = await emptyFolder()
  await move('sqlite', back, url)
  expect(dumpTables(fileOf(back))).toEqual(dumpTables(fileOf(from)))
})
