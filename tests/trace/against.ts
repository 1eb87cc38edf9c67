import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Phase } from './analysis.ts'
import { run, thenEnd } from './ending.ts'
import { type Result, table, whole } from './summary.ts'

/** Does `work` in a folder with the files and packages of another commit. Removes the folder, also where a signal ends the command. */
export async function atCommit<T>(commit: string, work: () => Promise<T>): Promise<T> {
  const here = resolve('.')
  const folder = join(mkdtempSync(join(tmpdir(), 'waggle-trace-')), 'commit')
  return await thenEnd(
    async () => {
      await run('git', 'worktree', 'add', '--detach', folder, commit)
      process.chdir(folder)
      await run('npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline')
      return await work()
    },
    () => {
      process.chdir(here)
      // It is no worktree yet where a signal came first.
      spawnSync('git', ['worktree', 'remove', '--force', folder])
      rmSync(resolve(folder, '..'), { recursive: true, force: true })
    },
  )
}

const compared: [string, (phase: Phase) => number][] = [
  ['ms on the page', ({ threads }) => threads.page ?? 0],
  ['layouts', ({ layouts }) => layouts.count],
  ['style recalculations', ({ styles }) => styles.count],
  ['requests', ({ requests }) => requests.count],
  ['KB received', ({ requests }) => requests.bytes / 1_000],
  ['renders', ({ renders }) => renders.reduce((sum, { count }) => sum + count, 0)],
  ['heap, MB', ({ heap }) => heap / 1_000_000],
]

/** Each cell is `this / other`. */
export function comparisonText(results: readonly Result[], others: readonly Result[], commit: string): string {
  const lines = [`# This tree / ${commit}`, '']
  for (const { person, rate, analysis } of results) {
    const other = others.find((candidate) => candidate.person === person && candidate.rate === rate)
    const rows = analysis.phases.map((phase) => {
      const before = other?.analysis.phases.find(({ name }) => name === phase.name)
      return [
        phase.name,
        ...compared.map(([, read]) => `${whole(read(phase))} / ${before ? whole(read(before)) : '-'}`),
      ]
    })
    lines.push(`## ${person}, CPU ${rate}x`, '', ...table(['phase', ...compared.map(([name]) => name)], rows), '')
  }
  return lines.join('\n')
}
