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

type Compared = { what: string; read: (phase: Phase) => number; of: (values: number[]) => number; least: number }

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
const largest = (values: number[]) => Math.max(...values)

/** Counts first: milliseconds depend on what else the machine does. A difference below `least` is no difference. */
const compared: readonly Compared[] = [
  { what: 'layouts', read: ({ layouts }) => layouts.count, of: sum, least: 3 },
  { what: 'style recalculations', read: ({ styles }) => styles.count, of: sum, least: 3 },
  { what: 'renders', read: ({ renders }) => sum(renders.map(({ count }) => count)), of: sum, least: 3 },
  { what: 'requests', read: ({ requests }) => requests.count, of: sum, least: 1 },
  { what: 'KB received', read: ({ requests }) => requests.bytes / 1_000, of: sum, least: 5 },
  { what: 'heap, MB', read: ({ heap }) => heap / 1_000_000, of: largest, least: 1 },
  { what: 'ms on the page', read: ({ threads }) => threads.page ?? 0, of: sum, least: 50 },
]
const DIFFERENT_SHARE = 0.1

/** Each cell is `this / other`, bold where they differ. The first table has all recordings together. */
export function comparisonText(results: readonly Result[], others: readonly Result[], commit: string): string {
  return [
    `# This tree / ${commit}`,
    '',
    'Each cell is this tree / the other commit, bold where they differ by more than a tenth. One recording of each: what is bold in one table',
    'alone is chance as a rule.',
    '',
    '## All recordings together',
    '',
    ...comparisonTable(results, others),
    '',
    ...results.flatMap((result) => {
      const same = others.filter(({ person, rate }) => person === result.person && rate === result.rate)
      return [`## ${result.person}, CPU ${result.rate}x`, '', ...comparisonTable([result], same), '']
    }),
  ].join('\n')
}

function comparisonTable(results: readonly Result[], others: readonly Result[]): string[] {
  const [ours, theirs] = [phasesOf(results), phasesOf(others)]
  const rows = [...new Set([...ours.keys(), ...theirs.keys()])].map((name) => [
    name,
    ...compared.map((one) => cell(one, ours.get(name), theirs.get(name))),
  ])
  // What moves from one phase to the next is no difference of all.
  const all = ['all', ...compared.map((one) => cell(one, [...ours.values()].flat(), [...theirs.values()].flat()))]
  return table(['phase', ...compared.map(({ what }) => what)], [...rows, all])
}

function phasesOf(results: readonly Result[]): Map<string, Phase[]> {
  const byName = new Map<string, Phase[]>()
  for (const phase of results.flatMap(({ analysis }) => analysis.phases))
    byName.set(phase.name, [...(byName.get(phase.name) ?? []), phase])
  return byName
}

function cell({ read, of, least }: Compared, ours: Phase[] | undefined, theirs: Phase[] | undefined): string {
  const [mine, other] = [ours, theirs].map((phases) => phases && of(phases.map(read)))
  const text = `${mine === undefined ? '-' : whole(mine)} / ${other === undefined ? '-' : whole(other)}`
  if (mine === undefined || other === undefined) return text
  const isDifferent = Math.abs(mine - other) >= Math.max(least, DIFFERENT_SHARE * Math.max(mine, other))
  return isDifferent ? `**${text}**` : text
}
