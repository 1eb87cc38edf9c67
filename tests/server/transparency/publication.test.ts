import { describe, expect, onTestFinished, test } from 'vitest'
import { runTransparencyCommand } from '../../../server/transparency/transparency-commands.ts'
import { runStatements } from '../../support/stores/run-statements.ts'
import { backends } from '../../support/stores/stores.ts'
import { undoMigrations } from '../../support/stores/undo-migrations.ts'

const NOW = Date.UTC(2027, 0, 1)

describe.each(backends)('publication in $name', ({ make }) => {
  async function opened() {
    const backend = await make()
    onTestFinished(backend.remove)
    const open = async () => {
      const store = await backend.open()
      let isOpen = true
      const close = async () => {
        if (isOpen) await store.close()
        isOpen = false
      }
      onTestFinished(close)
      const run = (action: 'publish' | 'withdraw', from: string, to = from) =>
        runTransparencyCommand({ do: 'transparency', action, from, to }, store.transparency, NOW)
      return { run, close, latest: () => store.transparency.latest() }
    }
    return { backend, open }
  }

  test('of overlapping periods that several operators publish at once, one is published', async () => {
    const { backend, open } = await opened()
    const first = await open()
    // One server alone opens a file of SQLite.
    const operators = [first, backend.env.DATABASE_URL === undefined ? first : await open()] as const
    const periods = ['2026-06', '2026-05', '2026-04'].flatMap((from) => [
      operators[0].run('publish', from, '2026-09'),
      operators[1].run('publish', '2026-01', '2026-06'),
    ])
    const results = await Promise.allSettled(periods)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason.code).toBe('wrong-state')
  })

  test('the months of a withdrawn report are published again in the same period alone', async () => {
    const { open } = await opened()
    const { run, latest } = await open()
    await run('publish', '2026-01', '2026-06')
    expect(await run('withdraw', '2026-01', '2026-06')).toContain('only as 2026-01 to 2026-06 again')
    await expect(run('publish', '2026-01', '2026-05')).rejects.toThrow('2026-01 to 2026-06 was published')
    await expect(run('publish', '2026-06', '2026-07')).rejects.toThrow('2026-01 to 2026-06 was published')
    await run('publish', '2026-07', '2026-07')
    await run('publish', '2026-01', '2026-06')
    expect(await latest()).toMatchObject({ from: '2026-07' })
    await expect(run('publish', '2026-01', '2026-06')).rejects.toThrow('is published')
  })

  test('the months of reports that an earlier version published are taken', async () => {
    const { backend, open } = await opened()
    const { run, close } = await open()
    await run('publish', '2025-11', '2026-02')
    await close()
    await runStatements(backend, undoMigrations('019'))
    const later = await open()
    for (const month of ['2025-11', '2025-12', '2026-01', '2026-02'])
      await expect(later.run('publish', month)).rejects.toThrow('2025-11 to 2026-02 was published')
    for (const month of ['2025-10', '2026-03']) expect(await later.run('publish', month)).toContain(month)
  })
})
