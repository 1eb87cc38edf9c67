import { execFileSync } from 'node:child_process'
import type { ProgramName } from './programs.ts'

export const suites = ['unit', 'server', 'browser', 'e2e'] as const
export type Suite = (typeof suites)[number]
export const isSuite = (name: string | undefined): name is Suite => suites.some((suite) => suite === name)

const browsers: ProgramName[] = ['chromium', 'chromium-headless-shell', 'firefox-esr']

/** What a suite starts, besides what npm installs. */
export const programsOf: Readonly<Record<Suite, ProgramName[]>> = {
  unit: [],
  server: [
    ...(['coturn', 'postgresql', 'pgbouncer', 'redis-server', 'caddy'] as const),
    ...(['promtool', 'amtool', 'prometheus-blackbox-exporter'] as const),
  ],
  browser: browsers,
  e2e: [...browsers, 'coturn', 'webkit2gtk-driver', 'xvfb'],
}

/**
 * The suites that a change of a file can reach, by the beginning of its path. The first row that fits counts; any other file reaches all
 * suites.
 */
const reach: readonly [RegExp, readonly Suite[]][] = [
  [/^tests\/(bench|trace|rehearsal)\//, ['unit']],
  [/^tests\/unit\//, ['unit']],
  [/^tests\/server\//, ['server']],
  [/^tests\/browser\//, ['browser']],
  [/^tests\/e2e\//, ['e2e']],
  [/^(src|workers|public)\/|^index\.html$/, ['unit', 'browser', 'e2e']],
  // The browser's tests send their requests to a real server.
  [/^server\//, suites],
  // Some unit tests read the documents and what is deployed.
  [/^(docs|deploy)\/|^[A-Z]+(\.md)?$/, ['unit', 'server']],
]

/** The suites that the changes since a revision can reach: committed, uncommitted and new files. Throws for an unknown revision. */
export function changedSuites(revision: string): Suite[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')]
  const reached = changed.flatMap((file) => reach.find(([path]) => path.test(file))?.[1] ?? suites)
  return suites.filter((suite) => reached.includes(suite))
}
