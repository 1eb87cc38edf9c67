import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
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

const vitestSchema = v.object({ numPassedTests: v.number(), numFailedTests: v.number() })
const playwrightSchema = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }),
})

let passed = 0
let failed = 0

function run(command: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

/** Counts a step that has no tests of its own. */
function step(name: string, good: boolean): void {
  if (good) passed += 1
  else failed += 1
  if (!good) console.error(`${name} failed`)
}

function count(name: string, good: boolean, file: string, read: (report: unknown) => [number, number]): void {
  const [more, less] = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : [0, 0]
  passed += more
  // A run that fails outside of any test is a failure too.
  failed += good ? less : Math.max(less, 1)
  if (more === 0 && less === 0 && good) step(`${name}: no test ran, which`, false)
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
      const { numPassedTests, numFailedTests } = parse(vitestSchema, report)
      return [numPassedTests, numFailedTests]
    })
  }
  if (chosen.includes('e2e')) {
    const file = `${results}/e2e.json`
    step('build', run('node', ['scripts/build.ts', '--if-needed']))
    const good = run('playwright', ['test', '--config', 'tests/e2e/playwright.config.ts'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    })
    count('e2e', good, file, (report) => {
      const { expected, unexpected, flaky } = parse(playwrightSchema, report).stats
      return [expected, unexpected + flaky]
    })
  }
}

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
