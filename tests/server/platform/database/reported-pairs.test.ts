import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runStatements } from '../../../support/stores/run-statements.ts'
import { backends } from '../../../support/stores/stores.ts'
import { undoMigrations } from '../../../support/stores/undo-migrations.ts'

describe.each(backends)('a database of an earlier version in $name', ({ make }) => {
  test('excludes every pair with a report from meeting again, and keeps its blocks', async () => {
    const backend = await make()
    onTestFinished(backend.remove)
    const store = await backend.open(randomUUID)
    const person = async (name: string) => {
      const identity = { provider: 'Google' as const, subject: name, email: `${name}@example.org` }
      return (await store.accounts.signIn({ ...identity, firstName: name, lastName: 'NA' }, 1)).id
    }
    const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
    const report = { reporter: ann, type: 'ReportOnly' as const, callMs: null, reporterSaw: true, reportedSaw: true }
    for (const [session, reported, at] of [
      ['s1', bob, 5],
      ['s2', bob, 6],
      ['s3', cat, 7],
    ] as const)
      await store.reports.add({ ...report, session, reported, at, keptCalls: 0, settled: false, dueAt: null })
    await store.relations.block(ann, cat, 7)
    await store.close()
    await runStatements(backend, undoMigrations('012'))

    const newer = await backend.open()
    onTestFinished(() => newer.close())
    expect((await newer.relations.blockedWith(ann)).sort()).toEqual([bob, cat].sort())
    expect(await newer.relations.blockedWith(bob)).toEqual([ann])
    expect(await newer.relations.blockedWith(cat)).toEqual([ann])
  })
})
