import { execFileSync } from 'node:child_process'
import { caddyPath } from './caddy.ts'
import { chromiumPath, headlessChromiumPath } from './chromium.ts'
import { coturnPath } from './coturn.ts'
import type { Programs } from './debian.ts'
import { firefoxPath } from './firefox.ts'
import { pgbouncerPath } from './pgbouncer.ts'
import { postgresFolder } from './postgres.ts'
import { amtoolPath, blackboxPath, promtoolPath } from './prometheus.ts'
import { redisServerPath } from './redis.ts'
import { webkitDriverPath, xvfbPath } from './webkit.ts'

export const suites = ['unit', 'server', 'browser', 'e2e'] as const
export type Suite = (typeof suites)[number]
export const isSuite = (name: string | undefined): name is Suite => suites.some((suite) => suite === name)

const browsers: Programs = {
  chromium: chromiumPath,
  // Without it the tests take Chromium, as they do where CHROMIUM_PATH names one.
  'chromium-headless-shell': headlessChromiumPath,
  'firefox-esr': firefoxPath,
}

/** What a suite starts, besides what npm installs. */
export const programsOf: Readonly<Record<Suite, Programs>> = {
  unit: {},
  server: {
    coturn: coturnPath,
    postgresql: postgresFolder,
    pgbouncer: pgbouncerPath,
    'redis-server': redisServerPath,
    caddy: caddyPath,
    prometheus: promtoolPath,
    'prometheus-alertmanager': amtoolPath,
    'prometheus-blackbox-exporter': blackboxPath,
  },
  browser: browsers,
  e2e: { ...browsers, coturn: coturnPath, 'webkit2gtk-driver': webkitDriverPath, xvfb: xvfbPath },
}

/** The suites that a file can reach, by the beginning of its path; the first that fits counts, and any other file reaches all. */
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
