import { type SpawnOptions, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { installMissing } from './programs.ts'
import { readReport, type SuiteReport } from './test-reports.ts'
import { changedSuites, isSuite, programsOf, type Suite, suites } from './test-suites.ts'

/**
 * Runs the checks and all suites, or only the suites named first on the command line; further words choose files of those suites.
 * With --changed [REVISION] it runs the suites that the changes since then can reach. The checks and the unit tests come first. Prints the
 * slowest tests and ends with 'N passed, N failed'.
 */

const RESULTS = 'test-results'
const SLOWEST = 20

const { values, positionals: words } = parseArgs({ allowPositionals: true, options: { changed: { type: 'boolean' } } })
const firstFile = values.changed ? words.length : words.findIndex((word) => !isSuite(word))
const named = firstFile === -1 ? words : words.slice(0, firstFile)
const files = firstFile === -1 ? [] : words.slice(firstFile)
if (words.length > 0 && named.length === 0) {
  console.error(`There is no suite called ${words[0]}. The suites are ${suites.join(', ')}.`)
  console.error(`One file of a suite: npm run test:unit -- ${words[0]}`)
  process.exit(1)
}

const chosen = values.changed
  ? changedSuites(words[0] ?? 'HEAD')
  : suites.filter((suite) => words.length === 0 || named.includes(suite))
const areChecked = values.changed || words.length === 0
const areSeveral = areChecked || chosen.length > 1
if (values.changed) console.log(`The changes can reach: ${chosen.join(', ') || 'no suite'}`)

let passed = 0
let failed = 0
/** Printed once more at the end: thousands of lines may follow a failure. */
const failures: string[] = []
const timed: SuiteReport['tests'] = []

function fail(...what: string[]): void {
  failures.push(...what)
  for (const one of what) console.log(`Failed: ${one}`)
}

/** Counts a step that has no tests of its own. */
function step(name: string, good: boolean): void {
  if (good) passed += 1
  else failed += 1
  if (!good) fail(name)
}

function count(suite: Suite, good: boolean, report: SuiteReport): void {
  passed += report.passed
  failed += report.failed
  fail(...report.failures.map((name) => `${suite}: ${name}`))
  timed.push(...report.tests)
  if (report.passed + report.failed === 0) step([`${suite}: no test ran`, ...files].join(' '), false)
  // A run that fails outside of any test is a failure too.
  else if (!good && report.failed === 0) step(`${suite}: an error outside of any test`, false)
}

// One seed for all suites, so that a failure can be repeated with the same seed.
process.env.TEST_SEED ??= String(randomInt(2 ** 32))
console.log(`TEST_SEED=${process.env.TEST_SEED}`)

/** A folder of Linux whose files are in memory. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3
/**
 * Returns a folder in memory, if there is room: databases of tests, profiles of browsers and data of servers would wait for a busy disk.
 */
function temporaryFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir()
}
const folder = mkdtempSync(join(temporaryFolder(), 'tests-'))
// PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o755)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.env.TMPDIR = folder
// The server is started as a process hundreds of times: its compiled code is kept for the run.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')

/** Resolves with whether the command succeeded. With a `label` each line of its output starts with it. */
async function run(label: string, command: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const options = {
    stdio: label === '' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
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

/** A name without a path chooses the test file of exactly that name if there is one; else any file whose path contains it. */
function filters(suite: Suite): string[] {
  return files.flatMap((name) => {
    const exact = globSync(`tests/${suite}/**/${name}.test.{ts,tsx}`)
    return exact.length > 0 ? exact : [name]
  })
}

/** `projects` are those of Vitest. */
async function runSuite(suite: Suite, projects: readonly string[] = [suite]): Promise<void> {
  const label = areSeveral ? `${suite}: ` : ''
  const file = `${RESULTS}/${suite}.json`
  if (suite === 'e2e') step('build', await run(label, 'node', ['scripts/build.ts', '--if-needed']))
  if (suite === 'e2e' && files.length === 0)
    step('oldest browsers', await run(label, 'node', ['scripts/check-browsers.ts']))
  const good =
    suite === 'e2e'
      ? await run(label, 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', ...filters(suite)], {
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
          // Node reads TypeScript itself. Playwright would compile each file with Babel first.
          PW_DISABLE_TS_ESM: '1',
        })
      : await run(label, 'vitest', [
          ...['run', ...projects.map((project) => `--project=${project}`)],
          // Pages wait more than they compute.
          ...(suite === 'browser' ? ['--maxWorkers=2'] : []),
          ...(files.length > 0 ? ['--passWithNoTests'] : []),
          ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
          ...filters(suite),
        ])
  count(suite, good, readReport(suite, file))
}

rmSync(RESULTS, { recursive: true, force: true })
const beganAt = performance.now()
const missing = installMissing(chosen.flatMap((suite) => programsOf[suite]))

const checks = { biome: ['check', '--error-on-warnings', '.'], tsc: ['-b'], knip: [] }
const check = async ([name, args]: [string, string[]]) => step(name, await run(`${name}: `, name, args))
if (areChecked) await Promise.all(Object.entries(checks).map(check))
if (chosen.includes('unit')) await runSuite('unit')
if (areSeveral) {
  const seconds = Math.round((performance.now() - beganAt) / 1000)
  console.log(`Checks and unit tests after ${seconds} s: ${failed === 0 ? 'all passed' : `${failed} failed`}`)
}

// Only the tests that need a missing program fail without it; without Chromium, two suites do not run.
for (const name of await missing) step(name, false)
const lacks = (name: string) => failures.includes(name)
const isRunnable = (suite: Suite) => chosen.includes(suite) && (suite === 'server' || !lacks('chromium'))
const browserProjects = lacks('firefox-esr') ? ['browser'] : ['browser', 'firefox']
// All at once: they wait for pages, timers and other processes more than they compute.
const others = (['e2e', 'server', 'browser'] as const).filter(isRunnable)
await Promise.all(others.map((suite) => runSuite(suite, suite === 'browser' ? browserProjects : [suite])))

const slowest = timed.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
if (slowest.length > 0) console.log('The slowest tests, in seconds:')
for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} ${name}`)
for (const failure of failures) console.log(`Failed: ${failure}`)
if (failures.length > 0) console.log(`Repeat with TEST_SEED=${process.env.TEST_SEED}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
