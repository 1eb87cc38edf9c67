import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import { caddyPath } from './caddy.ts'
import { chromiumPath } from './chromium.ts'
import { coturnPath } from './coturn.ts'
import { postgresFolder } from './postgres.ts'
import { redisServerPath } from './redis.ts'

/** Runs the checks and tests named on the command line, all of them without a name, and ends with 'N passed, N failed'. */

const results = 'test-results'
const suites = ['unit', 'server', 'browser', 'e2e'] as const
const asked = process.argv.slice(2)
const chosen = asked.length === 0 ? suites : suites.filter((suite) => asked.includes(suite))

const vitestSchema = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  testResults: recordsOf(
    v.object({
      name: v.string(),
      status: v.string(),
      assertionResults: recordsOf(v.object({ status: v.string(), fullName: v.string() })),
    }),
  ),
})
type PlaywrightSuite = { specs: { title: string; file: string; ok: boolean }[]; suites?: PlaywrightSuite[] | undefined }
const playwrightSuite: v.GenericSchema<PlaywrightSuite> = v.object({
  specs: recordsOf(v.object({ title: v.string(), file: v.string(), ok: v.boolean() })),
  suites: v.optional(recordsOf(v.lazy(() => playwrightSuite))),
})
const playwrightSchema = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }),
  suites: recordsOf(playwrightSuite),
})

type Counted = { passed: number; failed: number; failures: string[] }

let passed = 0
let failed = 0
/** What failed, printed once more at the end: thousands of lines may stand between. */
const failures: string[] = []

function run(command: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

/** Counts a step that has no tests of its own. */
function step(name: string, good: boolean): void {
  if (good) passed += 1
  else failed += 1
  if (!good) failures.push(name)
}

function count(suite: string, good: boolean, file: string, read: (report: unknown) => Counted): void {
  const none: Counted = { passed: 0, failed: 0, failures: [] }
  const counted = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : none
  passed += counted.passed
  failed += counted.failed
  failures.push(...counted.failures.map((name) => `${suite}: ${name}`))
  // A run that fails outside of any test is a failure too.
  if (!good && counted.failed === 0) step(`${suite}: an error outside of any test`, false)
  if (good && counted.passed === 0 && counted.failed === 0) step(`${suite}: no test ran`, false)
}

function failedSpecs(suites: PlaywrightSuite[]): string[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
    ...failedSpecs(inner),
  ])
}

/** Installs what is missing where that is allowed, else says in one line what to install. */
function have(debianPackage: string, found: () => string, advice: string): boolean {
  if (found() !== '') return true
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && run('apt-get', ['update']) && run('apt-get', ['install', '-y', debianPackage])) return true
  console.error(advice)
  return false
}

const haveCaddy = () =>
  have('caddy', caddyPath, 'Install Caddy (Debian: apt-get install caddy) or set CADDY_PATH to one.')
const haveChromium = () =>
  have('chromium', chromiumPath, 'Install Chromium (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.')
const haveCoturn = () =>
  have('coturn', coturnPath, 'Install coturn (Debian: apt-get install coturn) or set COTURN_PATH to one.')
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

rmSync(results, { recursive: true, force: true })
if (asked.length === 0) {
  step('biome', run('biome', ['check', '--error-on-warnings', '.']))
  step('tsc', run('tsc', ['-b']))
  step('knip', run('knip', []))
}

const withBrowser = chosen.includes('browser') || chosen.includes('e2e')
const withRelay = chosen.includes('server') || chosen.includes('e2e')
// Only the tests of the relay fail without it.
if (withRelay && !haveCoturn()) step('coturn', false)
// The same of the tests of the shared database.
if (chosen.includes('server') && !havePostgres()) step('PostgreSQL', false)
if (chosen.includes('server') && !haveRedis()) step('Redis', false)
if (chosen.includes('server') && !haveCaddy()) step('Caddy', false)
if (withBrowser && !haveChromium()) step('Chromium', false)
else {
  for (const suite of chosen.filter((name) => name !== 'e2e')) {
    const file = `${results}/${suite}.json`
    const good = run('vitest', [
      'run',
      '--project',
      suite,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ])
    count(suite, good, file, (report) => {
      const { numPassedTests, numFailedTests, testResults } = parse(vitestSchema, report)
      const failedFiles = testResults.filter(({ status }) => status === 'failed')
      return {
        passed: numPassedTests,
        failed: numFailedTests,
        failures: failedFiles.map(({ name, assertionResults }) => {
          const titles = assertionResults
            .filter((result) => result.status === 'failed')
            .map((result) => result.fullName)
          return [name, ...titles].join('\n    ')
        }),
      }
    })
  }
  if (chosen.includes('e2e')) {
    const file = `${results}/e2e.json`
    step('build', run('node', ['scripts/build.ts', '--if-needed']))
    const good = run('playwright', ['test', '--config', 'tests/e2e/playwright.config.ts'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    })
    count('e2e', good, file, (report) => {
      const { stats, suites } = parse(playwrightSchema, report)
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky, failures: failedSpecs(suites) }
    })
  }
}

for (const failure of failures) console.log(`Failed: ${failure}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
