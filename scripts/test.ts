import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { caddyPath } from './caddy.ts'
import { chromiumPath, headlessChromiumPath } from './chromium.ts'
import { coturnPath } from './coturn.ts'
import { firefoxPath } from './firefox.ts'
import { postgresFolder } from './postgres.ts'
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

/** Jobs that run side by side: server and e2e have two workers each, and with a third job servers answer too late. Each lane takes the next one when it has finished one. */
const LANES = 2
/** A suite in one browser. The browser tests run in Firefox too, as far as it can. */
type Job = Suite | 'firefox'
/** The longest begin first. */
const order: readonly Job[] = ['e2e', 'server', 'browser', 'firefox', 'unit']
const suiteOf = (job: Job): Suite => (job === 'firefox' ? 'browser' : job)

const words = process.argv.slice(2)
const firstFile = words.findIndex((word) => !isSuite(word))
const named = firstFile === -1 ? words : words.slice(0, firstFile)
const files = firstFile === -1 ? [] : words.slice(firstFile)
if (words.length > 0 && named.length === 0) {
  console.error(`There is no suite called ${words[0]}. The suites are ${suites.join(', ')}.`)
  console.error(`One file of a suite: npm run test:unit -- ${words[0]}`)
  process.exit(1)
}
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
  failures.push(...report.failures.map((name) => `${job}: ${name}`))
  timed.push(...report.tests)
  const ran = report.passed + report.failed
  // A file that is named may have no test for Firefox.
  const mayBeEmpty = job === 'firefox' && files.length > 0
  if (ran === 0 && !mayBeEmpty) step([`${job}: no test ran`, ...files].join(' '), false)
  // A run that fails outside of any test is a failure too.
  else if (!good && report.failed === 0) step(`${job}: an error outside of any test`, false)
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

function runHere(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

/** Installs a Debian package if this process may. */
function install(debianPackage: string): void {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && runHere('apt-get', ['update'])) runHere('apt-get', ['install', '-y', debianPackage])
}

/** Installs a missing program where that is allowed, else prints what to install. */
function have(debianPackage: string, found: () => string, advice: string): boolean {
  if (found() === '') install(debianPackage)
  if (found() === '') console.error(advice)
  return found() !== ''
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
const haveRedis = () =>
  have(
    'redis-server',
    redisServerPath,
    'Install Redis (Debian: apt-get install redis-server) or set REDIS_SERVER_PATH.',
  )
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
  const suite = suiteOf(job)
  const file = `${RESULTS}/${job}.json`
  if (job === 'e2e') step('build', await run(label, 'node', ['scripts/build.ts', '--if-needed']))
  if (job === 'e2e' && files.length === 0)
    step('oldest browsers', await run(label, 'node', ['scripts/check-browsers.ts']))
  const good =
    job === 'e2e'
      ? await run(label, 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', ...filters(suite)], {
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        })
      : await run(label, 'vitest', [
          ...['run', '--project', job, ...(files.length > 0 ? ['--passWithNoTests'] : [])],
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
if (chosen.includes('server') && !haveRedis()) step('Redis', false)
if (chosen.includes('server') && !haveCaddy()) step('Caddy', false)
// Only tests/e2e/webkit.test.ts fails without it.
if (chosen.includes('e2e') && !haveWebKit()) step('WebKitGTK', false)
const inBrowser: readonly Suite[] = ['browser', 'e2e']
const lacksBrowser = inBrowser.some((suite) => chosen.includes(suite)) && !haveChromium()
if (lacksBrowser) step('Chromium: the suites browser and e2e did not run', false)

const runnable = chosen.filter((suite) => !(lacksBrowser && inBrowser.includes(suite)))
const isRunnable = (job: Job) => runnable.includes(suiteOf(job)) && (job !== 'firefox' || firefoxPath() !== '')
const waiting = order.filter(isRunnable)
const areSeveral = waiting.length > 1
async function runLane(): Promise<void> {
  for (let job = waiting.shift(); job; job = waiting.shift()) await runJob(job, areSeveral ? `${job}: ` : '')
}
await Promise.all(Array.from({ length: LANES }, runLane))

const slowest = timed.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
if (slowest.length > 0) console.log('The slowest tests, in seconds:')
for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} ${name}`)
for (const failure of failures) console.log(`Failed: ${failure}`)
if (failures.length > 0) console.log(`Repeat with TEST_SEED=${process.env.TEST_SEED}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
