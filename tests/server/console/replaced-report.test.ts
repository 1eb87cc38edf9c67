import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { openDatabase } from '../../../server/platform/database/database.ts'
import { startServer } from '../../support/servers/server.ts'
import { seedPeople, seedReports } from '../../support/stores/case-records.ts'
import { confirmedCall } from '../../support/stores/confirmed-call.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'

test('a decision does not close a report that has taken the place of one that was read', async () => {
  const dataDir = await migratedFolder()
  const db = await openDatabase(dataDir)
  const [reported, first, second] = [randomUUID(), randomUUID(), randomUUID()]
  const now = Date.now()
  await seedPeople(
    db,
    [reported, first, second].map((id) => ({ id })),
    now - 90 * DAY_MS,
  )
  await seedReports(db, [{ reporter: first, reported, at: now - 10 * DAY_MS }])
  await db.destroy()
  const server = await startServer({}, { dataDir })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const mia = await logIn(server, await addModerator(dataDir, 'mia'))
  const { version } = await mia.requestConsole('readCase', { id: reported })

  await server.edit(async (store) => {
    expect(await store.expiry.remove('reports', now - 9 * DAY_MS, 10)).toBe(1)
    const match = { session: 'new', type: 'ReportOnly', callMs: 1_000, ...confirmedCall } as const
    const details = { reason: 'intimate-without-consent' } as const
    await store.reports.add({ ...match, reporter: second, reported, at: now, details, dueAt: now + DAY_MS })
  })
  const dismissal = { id: reported, verdict: 'dismiss', rule: 'guidelines', note: 'Nothing in it' } as const
  expect((await mia.sendToConsole('decide', { ...dismissal, version })).status).toBe(409)
  const { openReports } = await mia.requestConsole('readCase', { id: reported })
  expect(openReports).toMatchObject([{ reason: 'intimate-without-consent', outcome: null }])
})
