import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { readCsv } from '../../support/read-csv.ts'
import { newVisitor, startServer, type TestServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'

const MAY = Date.UTC(2026, 4, 10)
const run = promisify(execFile)

let folder: string
let server: TestServer

beforeEach(async () => {
  folder = await migratedFolder()
  const db = await openDatabase(folder)
  const people = Array.from({ length: 8 }, () => randomUUID())
  const [bob = '', ...reporters] = people
  await seedPeople(
    db,
    people.map((id) => ({ id })),
    MAY,
  )
  await seedReports(
    db,
    reporters.map((reporter) => ({ reporter, reported: bob, at: MAY })),
  )
  const change = { accountId: bob, actorId: null, what: 'reports', rule: 'guidelines', reason: 'x', at: MAY } as const
  await db
    .insertInto('statusChanges')
    .values({ ...change, fromStatus: 'Valid', status: 'Warning', actorKind: 'policy', until: null })
    .execute()
  await db.destroy()
  server = await startServer({}, { dataDir: folder })
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function command(...words: string[]): Promise<{ code: number; text: string }> {
  const env = { ...process.env, DATA_DIR: folder }
  try {
    const { stdout } = await run(process.execPath, ['scripts/transparency.ts', ...words], { env })
    return { code: 0, text: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, text: stderr.trim() }
  }
}

const published = async () => (await newVisitor(server).request('readTransparency', undefined)).report
const file = () => fetch(`${server.origin}/api/transparency/csv`)
const valueIn = (csv: string, scope: string, indicator: RegExp) =>
  readCsv(csv).find(([, , , , name = '', of]) => of === scope && indicator.test(name))?.[6]

test.each([
  ['beside the running server', true],
  ['without one', false],
])('the command prints the numbers of a period from the records, %s', async (_, running) => {
  if (!running) await server.stop()
  const { code, text } = await command('2026-01', '2026-06')
  // console.log ends the last line with a line feed alone.
  const csv = text.replace(/\r?\n$/, '\r\n')
  expect(code).toBe(0)
  expect(valueIn(csv, 'Total', /notices received/)).toBe('7')
  expect(valueIn(csv, 'Automated, after notices: warning', /measures/)).toBe('')
  expect(valueIn(csv, 'Human: warning', /measures/)).toBe('0')
  const june = (await command('2026-06')).text.replace(/\r?\n$/, '\r\n')
  expect(valueIn(june, 'Total', /notices received/)).toBe('0')
})

test('nothing is shown before the operator publishes, and then the same to everybody, as a page and as a file', async () => {
  expect(await published()).toBeNull()
  expect((await file()).status).toBe(404)
  await command('2026-01', '2026-06')
  expect(await published()).toBeNull()

  expect((await command('2026-01', '2026-06', '--publish')).code).toBe(0)
  expect(await published()).toMatchObject({ from: '2026-01', to: '2026-06' })
  const response = await file()
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="transparency-2026-01-2026-06.csv"')
  expect(valueIn(await response.text(), 'Total', /notices received/)).toBe('7')

  expect((await command('2026-01', '2026-06', '--withdraw')).code).toBe(0)
  expect(await published()).toBeNull()
})

test('what could be subtracted from a published report, or is not over, is not published', async () => {
  await command('2026-01', '2026-06', '--publish')
  expect(await command('2026-01', '2026-06', '--publish')).toEqual({ code: 1, text: '2026-01 to 2026-06 is published' })
  for (const period of [['2026-06'], ['2025-07', '2026-01'], ['2026-02', '2026-03']]) {
    const { code, text } = await command(...period, '--publish')
    expect([code, text]).toEqual([1, '2026-01 to 2026-06 was published: the difference would show small counts'])
  }
  expect((await command('2099-01', '--publish')).text).toBe('2099-01 is not over')
  expect((await command('2026-06', '2026-01')).text).toBe('The first month comes after the last one')
  expect((await command('2026-05', '--withdraw')).text).toBe('2026-05 to 2026-05 is not published')
  for (const wrong of [['2026-13'], ['2026'], [], ['2026-01', '2026-02', '2026-03']])
    expect((await command(...wrong)).text).toMatch(/^Usage: npm run transparency/)
  expect(await published()).toMatchObject({ from: '2026-01', to: '2026-06' })
})
