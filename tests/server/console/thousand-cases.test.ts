import { rm } from 'node:fs/promises'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createDesk } from '../../../server/console/records/desk.ts'
import { PAGE_SIZE, pageOf, summaryOf } from '../../../server/console/rules/case-queue.ts'
import { weightOfReports } from '../../../server/moderation/rules/report-weight.ts'
import { type Database, openDatabase } from '../../../server/platform/database/database.ts'
import { startServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'

const CASES = 1_000
const { moderation: policy } = readConfig({})
const now = Date.now()

let dataDir: string
let db: Database

beforeAll(async () => {
  dataDir = await migratedFolder()
  db = await openDatabase(dataDir)
  const accused = Array.from({ length: CASES }, (_, index) => `accused-${index}`)
  const reporters = Array.from({ length: 100 }, (_, index) => `reporter-${index}`)
  await seedPeople(
    db,
    [...accused, ...reporters].map((id) => ({ id })),
    now - 90 * DAY_MS,
  )
  const reports = accused.flatMap((reported, index) =>
    reporters
      .slice(index % 50, (index % 50) + 1 + (index % 5))
      .map((reporter, order) => ({ reporter, reported, at: now - (index % 9) * DAY_MS - order * HOUR_MS })),
  )
  await seedReports(db, reports)
})
afterAll(async () => {
  await db.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

function counting(): { counted: Database; statements: () => number } {
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1
      return result
    },
  }
  return { counted: db.withPlugin(plugin), statements: () => statements }
}

test('a thousand open cases take four statements, as does one case', async () => {
  const { counted, statements } = counting()
  const desk = createDesk(counted)
  expect(await desk.openCases()).toHaveLength(CASES)
  expect(statements()).toBe(4)
  await desk.casesOf(['accused-0', 'accused-1', 'accused-2'])
  expect(statements()).toBe(8)
})

test('reports about a user, searches and a reporter’s record use indexes', async () => {
  const plans = async (text: string) =>
    (await sql<{ detail: string }>`${sql.raw(`explain query plan ${text}`)}`.execute(db)).rows.map(
      ({ detail }) => detail,
    )
  for (const text of [
    "select 1 from reports where reported = 'x' and outcome is null",
    "select 1 from reports where reporter = 'x' and outcome = 'upheld'",
    "select 1 from findings where account_id = 'x' and outcome is null",
    "select 1 from accounts where status = 'InReview'",
    "select 1 from accounts where lower(email) = lower('X')",
    "select 1 from profiles where lower(nick_name) >= 'x' and lower(nick_name) < 'y'",
    "select 1 from moderation_audit where whom = 'x' order by id desc",
  ])
    for (const detail of await plans(text)) expect(detail).toMatch(/USING (COVERING )?INDEX/)
})

test('pages show every case once and in order, whatever is decided between two of them', async () => {
  const cases = (await createDesk(db).openCases()).map((one) =>
    summaryOf(one, (reports) => ({ weight: weightOfReports(reports, policy), urgentSince: null })),
  )
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = pageOf(cases, after)
    const shown = page?.cases ?? []
    seen.push(...shown.map(({ id }) => id))
    // The last case of this page leaves the queue before the next page is read.
    cases.splice(
      cases.findIndex(({ id }) => id === shown.at(-1)?.id),
      1,
    )
    after = page?.next ?? undefined
  } while (after !== undefined)
  expect(seen).toHaveLength(CASES)
  expect(new Set(seen).size).toBe(CASES)
})

test('the console reads all pages over HTTP', async () => {
  await db.destroy()
  const server = await startServer({}, { dataDir })
  try {
    const mia = await logIn(server, await addModerator(dataDir, 'mia'))
    const first = await mia.requestConsole('readQueue', {})
    expect(first).toMatchObject({ open: CASES })
    expect(first.cases).toHaveLength(PAGE_SIZE)
    const second = await mia.requestConsole('readQueue', { after: first.next ?? '' })
    const ids = new Set([...first.cases, ...second.cases].map(({ id }) => id))
    expect(ids.size).toBe(2 * PAGE_SIZE)
    expect((await mia.sendToConsole('readQueue', { after: 'nonsense' })).status).toBe(400)
  } finally {
    await server.stop()
    db = await openDatabase(dataDir)
  }
})
