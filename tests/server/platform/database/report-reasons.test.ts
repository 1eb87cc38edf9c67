import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { confirmedCall } from '../../../support/stores/confirmed-call.ts'
import { runStatements } from '../../../support/stores/run-statements.ts'
import { backends } from '../../../support/stores/stores.ts'
import { undoMigrations } from '../../../support/stores/undo-migrations.ts'

describe.each(backends)('reports in $name', ({ make }) => {
  async function open() {
    const backend = await make()
    onTestFinished(backend.remove)
    const store = await backend.open(randomUUID)
    const person = async (name: string) => {
      const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
      return (await store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)).id
    }
    const [ann, bob] = [await person('ann'), await person('bob')]
    const report = { reporter: ann, reported: bob, type: 'ReportOnly', callMs: null, ...confirmedCall } as const
    return { backend, store, ann, bob, report }
  }
  const details = {
    reason: 'intimate-without-consent',
    note: 'It was me',
    curtain: { model: 'm', flagged: 1, looks: 2 },
  } as const

  test('a database of 0.1.0 opens and keeps its reports, which have no reason and no clock', async () => {
    const { backend, store, ann, bob, report } = await open()
    await store.reports.add({ ...report, session: 's1', at: 5 })
    await store.close()
    await runStatements(backend, undoMigrations('014'))
    const newer = await backend.open()
    onTestFinished(() => newer.close())
    await newer.reports.add({ ...report, session: 's2', at: 6, details, dueAt: 9 })
    const none = { reason: null, note: null, curtain: null, dueAt: null }
    const found = await newer.desk.reports(bob, 9)
    expect(found).toMatchObject([
      { session: 's2', ...details, dueAt: 9 },
      { session: 's1', ...none },
    ])
    expect(await newer.reports.open(bob, 0)).toHaveLength(2)
    expect(await newer.desk.openCases()).toMatchObject([{ id: bob, reports: [{}, {}] }])
    const reasons = (await newer.transparency.notices(0, 9)).map(({ reason }) => reason)
    expect(reasons.toSorted()).toEqual([details.reason, null].toSorted())
    const data = await newer.personalData.of(ann, 9, (id) => id)
    expect(data?.reportsMade).toMatchObject([{ reason: null, note: null, curtain: null }, details])
  })

  test('overdue cases are users with an open report whose clock has run out, by reason', async () => {
    const { store, bob, report } = await open()
    onTestFinished(() => store.close())
    await store.reports.add({ ...report, session: 's1', at: 5, details, dueAt: 9 })
    await store.reports.add({ ...report, session: 's2', at: 6, details, dueAt: 20 })
    await store.reports.add({ ...report, session: 's3', at: 7, details: { reason: 'under-18' } })
    const at = (now: number) => store.backlog.readPriority(now)
    const without = { due: 0, overdue: 0 }
    expect(await at(9)).toEqual({ 'under-18': without, 'intimate-without-consent': { due: 1, overdue: 0 } })
    expect(await at(10)).toEqual({ 'under-18': without, 'intimate-without-consent': { due: 0, overdue: 1 } })
    await store.cases.close(bob, 'dismissed', 30)
    expect(await at(40)).toEqual({ 'under-18': without, 'intimate-without-consent': without })
  })

  test('a reporter’s record counts decided reports, and those of the last 24 hours', async () => {
    const { store, ann, bob, report } = await open()
    onTestFinished(() => store.close())
    const now = 10 * DAY_MS
    await store.reports.add({ ...report, session: 's1', at: now - 2 * DAY_MS })
    await store.cases.close(bob, 'dismissed', now - DAY_MS)
    await store.reports.add({ ...report, session: 's2', at: now - DAY_MS + 1 })
    const clean = { reporterSince: 1, credit: 0, dismissed: 0, earlierToday: 0, clocks: { own: 0, network: 0 } }
    expect(await store.reports.recordOf(ann, now)).toEqual({ ...clean, dismissed: 1, earlierToday: 1 })
    expect(await store.reports.recordOf(bob, now)).toEqual(clean)

    // A clock counts for its reporter, and for who shares a network with its reporter.
    for (const one of [ann, bob]) await store.risks.addSignals(one, { address: 'a network', device: null }, 1)
    await store.reports.add({ ...report, session: 's3', at: now - 1, dueAt: now })
    expect((await store.reports.recordOf(ann, now)).clocks).toEqual({ own: 1, network: 0 })
    expect((await store.reports.recordOf(bob, now)).clocks).toEqual({ own: 0, network: 1 })
  })
})
