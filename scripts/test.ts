import { type SpawnOptions, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { caddyPath } from './caddy.ts'
import { chromiumPath, headlessChromiumPath } from './chromium.ts'
import { coturnPath } from './coturn.ts'
import { have, install } from './debian.ts'
import { firefoxPath } from './firefox.ts'
import { pgbouncerPath } from './pgbouncer.ts'
import { postgresFolder } from './postgres.ts'
import { amtoolPath, blackboxPath, promtoolPath } from './prometheus.ts'
import { redisServerPath } from './redis.ts'
import { readReport, type SuiteReport } from './test-reports.ts'
import { webkitDriverPath, xvfbPath } from './webkit.ts'

/**
 * Runs the checks and all suites, or only the suites named first on the command line; further words choose files of those suites.
 * Prints the slowest tests and ends with 'N passed, N failed'.
 */

const RESULTS = 'test-results'
const SLOWEST = 20
const suites = ['unit', 'server', 'browser', 'e2e'] as const
type Suite = (typeof suites)[number]
const isSuite = (name: string | undefined): name is Suite => suites.some((suite) => suite === name)

/** Of jobs with a suite that has two workers of its own; with a third job servers answer too late. */
const AT_ONCE = 2
/** Of the other jobs. */
const LIGHT_AT_ONCE = 3
/** A suite, a part of it, or the browser tests in Firefox, as far as it can run them. */
type Job = { name: string; suite: Suite; isHeavy?: boolean; args: string[] }

const words = process.argv.slice(2)
const firstFile = words.findIndex((word) => !isSuite(word))
const named = firstFile === -1 ? words : words.slice(0, firstFile)
const files = firstFile === -1 ? [] : words.slice(firstFile)
if (words.length > 0 && named.length === 0) {
  console.error(`There is no suite called ${words[0]}. The suites are ${suites.join(', ')}.`)
  console.error(`One file of a suite: npm run test:unit -- ${words[0]}`)
  process.exit(1)
}
/** The longest begin first. Files that are named are not spread over two jobs, of which one might have none. */
const FIREFOX = 'firefox'
const browserParts: Job[] = [1, 2].map((part) => ({
  name: `browser-${part}`,
  suite: 'browser',
  args: ['--project', 'browser', `--shard=${part}/2`],
}))
const jobs: readonly Job[] = [
  { name: 'e2e', suite: 'e2e', isHeavy: true, args: [] },
  { name: 'server', suite: 'server', isHeavy: true, args: ['--project', 'server'] },
  ...(files.length > 0
    ? [{ name: 'browser', suite: 'browser' as const, args: ['--project', 'browser'] }]
    : browserParts),
  { name: FIREFOX, suite: 'browser', args: ['--project', FIREFOX] },
  { name: 'unit', suite: 'unit', args: ['--project', 'unit'] },
]
const chosen = suites.filter((suite) => words.length === 0 || named.includes(suite))

let passed = 0
let failed = 0
/** Printed once more at the end: thousands of lines may follow a failure. */
const failures: string[] = []
const timed: SuiteReport['tests'] = []

/** Counts a step that has no tests of its own. */
function step(name: string, good: boolean): void {
  if (good) passed += 1
  else failed += 1
  if (!good) failures.push(name)
}

function count(job: Job, good: boolean, report: SuiteReport): void {
  passed += report.passed
  failed += report.failed
  failures.push(...report.failures.map((name) => `${job.name}: ${name}`))
  timed.push(...report.tests)
  const ran = report.passed + report.failed
  // A file that is named may have no test for Firefox.
  const mayBeEmpty = job.name === FIREFOX && files.length > 0
  if (ran === 0 && !mayBeEmpty) step([`${job.name}: no test ran`, ...files].join(' '), false)
  // A run that fails outside of any test is a failure too.
  else if (!good && report.failed === 0) step(`${job.name}: an error outside of any test`, false)
}

// One seed for all suites, so that one setting repeats what a failure depended on.
process.env.TEST_SEED ??= String(randomInt(2 ** 32))
console.log(`TEST_SEED=${process.env.TEST_SEED}`)

// The server is started as a process hundreds of times: its compiled code is kept for the run.
const codeCache = mkdtempSync(join(tmpdir(), 'compiled-'))
process.on('exit', () => rmSync(codeCache, { recursive: true, force: true }))

/** Resolves with whether the command succeeded. With a `label` each line of its output starts with it. */
async function run(label: string, command: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const options = {
    stdio: label === '' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: codeCache, ...env },
  } satisfies SpawnOptions
  const child = spawn(command, args, options)
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    if (from) createInterface({ input: from }).on('line', (line) => to.write(`${label}${line}\n`))
  const [code] = await once(child, 'close')
  return code === 0
}

const haveCaddy = () =>
  have('caddy', caddyPath, 'Install Caddy (Debian: apt-get install caddy) or set CADDY_PATH to one.')
function haveChromium(): boolean {
  const advice = 'Install Chromium (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.'
  const found = have('chromium', chromiumPath, advice)
  // Without the headless shell the tests take Chromium, as they do where CHROMIUM_PATH names one.
  if (found && !process.env.CHROMIUM_PATH && headlessChromiumPath() === chromiumPath())
    install('chromium-headless-shell')
  return found
}
const haveCoturn = () =>
  have('coturn', coturnPath, 'Install coturn (Debian: apt-get install coturn) or set COTURN_PATH to one.')
const haveFirefox = () =>
  have('firefox-esr', firefoxPath, 'Install Firefox (Debian: apt-get install firefox-esr) or set FIREFOX_PATH to one.')
const havePostgres = () =>
  have(
    'postgresql',
    postgresFolder,
    'Install PostgreSQL (Debian: apt-get install postgresql) or put its programs on PATH.',
  )
const havePgBouncer = () =>
  have('pgbouncer', pgbouncerPath, 'Install PgBouncer (Debian: apt-get install pgbouncer) or set PGBOUNCER_PATH.')
const haveRedis = () =>
  have(
    'redis-server',
    redisServerPath,
    'Install Redis (Debian: apt-get install redis-server) or set REDIS_SERVER_PATH.',
  )
/** Of the programs that check the files of deploy/monitoring. */
function haveMonitoring(): boolean {
  const advice = (name: string) => `Install the programs of Prometheus (Debian: apt-get install ${name}).`
  return [
    have('prometheus', promtoolPath, advice('prometheus')),
    have('prometheus-alertmanager', amtoolPath, advice('prometheus-alertmanager')),
    have('prometheus-blackbox-exporter', blackboxPath, advice('prometheus-blackbox-exporter')),
  ].every(Boolean)
}
function haveWebKit(): boolean {
  const advice = (name: string) => `Install WebKitGTK and Xvfb (Debian: apt-get install ${name}).`
  const driver = have('webkit2gtk-driver', webkitDriverPath, advice('webkit2gtk-driver'))
  return have('xvfb', xvfbPath, advice('xvfb')) && driver
}

/** A name without a path chooses the test file of exactly that name if there is one; else any file whose path contains it. */
function filters(suite: Suite): string[] {
  return files.flatMap((name) => {
    const exact = globSync(`tests/${suite}/**/${name}.test.{ts,tsx}`)
    return exact.length > 0 ? exact : [name]
  })
}

async function runJob(job: Job, label: string): Promise<void> {
  const { name, suite, args } = job
  const file = `${RESULTS}/${name}.json`
  if (suite === 'e2e') step('build', await run(label, 'node', ['scripts/build.ts', '--if-needed']))
  if (suite === 'e2e' && files.length === 0)
    step('oldest browsers', await run(label, 'node', ['scripts/check-browsers.ts']))
  const good =
    suite === 'e2e'
      ? await run(label, 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', ...filters(suite)], {
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        })
      : await run(label, 'vitest', [
          ...['run', ...args, ...(files.length > 0 ? ['--passWithNoTests'] : [])],
          ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
          ...filters(suite),
        ])
  count(job, good, readReport(suite, file))
}

rmSync(RESULTS, { recursive: true, force: true })
if (words.length === 0) {
  const checks = { biome: ['check', '--error-on-warnings', '.'], tsc: ['-b'], knip: [] }
  const check = async ([name, args]: [string, string[]]) => step(name, await run(`${name}: `, name, args))
  await Promise.all(Object.entries(checks).map(check))
}

const withRelay = chosen.includes('server') || chosen.includes('e2e')
// Only the tests of the relay fail without it.
if (withRelay && !haveCoturn()) step('coturn', false)
// The same of the tests in Firefox.
const withFirefox = chosen.includes('browser') || chosen.includes('e2e')
if (withFirefox && !haveFirefox()) step('Firefox', false)
// The same of the tests of the shared database.
if (chosen.includes('server') && !havePostgres()) step('PostgreSQL', false)
if (chosen.includes('server') && !havePgBouncer()) step('PgBouncer', false)
if (chosen.includes('server') && !haveRedis()) step('Redis', false)
if (chosen.includes('server') && !haveCaddy()) step('Caddy', false)
if (chosen.includes('server') && !haveMonitoring()) step('Prometheus', false)
// Only tests/e2e/webkit.test.ts fails without it.
if (chosen.includes('e2e') && !haveWebKit()) step('WebKitGTK', false)
const inBrowser: readonly Suite[] = ['browser', 'e2e']
const lacksBrowser = inBrowser.some((suite) => chosen.includes(suite)) && !haveChromium()
if (lacksBrowser) step('Chromium: the suites browser and e2e did not run', false)

const runnable = chosen.filter((suite) => !(lacksBrowser && inBrowser.includes(suite)))
const isRunnable = ({ name, suite }: Job) => runnable.includes(suite) && (name !== FIREFOX || firefoxPath() !== '')
const waiting = jobs.filter(isRunnable)
const areSeveral = waiting.length > 1
const running = new Map<Job, Promise<void>>()
const mayBegin = () => running.size < ([...running.keys()].some(({ isHeavy }) => isHeavy) ? AT_ONCE : LIGHT_AT_ONCE)
while (waiting.length + running.size > 0) {
  for (let job = waiting[0]; job && mayBegin(); job = waiting[0]) {
    waiting.shift()
    const begun = job
    running.set(
      begun,
      runJob(begun, areSeveral ? `${begun.name}: ` : '').finally(() => running.delete(begun)),
    )
  }
  await Promise.race(running.values())
}

const slowest = timed.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
if (slowest.length > 0) console.log('The slowest tests, in seconds:')
for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} ${name}`)
for (const failure of failures) console.log(`Failed: ${failure}`)
if (failures.length > 0) console.log(`Repeat with TEST_SEED=${process.env.TEST_SEED}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
