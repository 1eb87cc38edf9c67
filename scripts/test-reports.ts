import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'

/** Of each error of a failed e2e test: the message, and where the test waited. */
const ERROR_LINES = 12

type TimedTest = { name: string; ms: number }
export type SuiteReport = { passed: number; failed: number; failures: string[]; tests: TimedTest[] }

const vitestSchema = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  testResults: recordsOf(
    v.object({
      name: v.string(),
      status: v.string(),
      assertionResults: recordsOf(
        v.object({
          status: v.string(),
          fullName: v.string(),
          duration: v.optional(v.nullable(v.number())),
          failureMessages: v.optional(v.nullable(recordsOf(v.string()))),
        }),
      ),
    }),
  ),
})

const playwrightSpec = v.object({
  title: v.string(),
  file: v.string(),
  ok: v.boolean(),
  tests: recordsOf(
    v.object({
      results: recordsOf(
        v.object({ duration: v.number(), errors: recordsOf(v.object({ message: v.optional(v.string()) })) }),
      ),
    }),
  ),
})
type PlaywrightSpec = v.InferOutput<typeof playwrightSpec>
type PlaywrightSuite = { specs: PlaywrightSpec[]; suites?: PlaywrightSuite[] | undefined }
const playwrightSuite: v.GenericSchema<PlaywrightSuite> = v.object({
  specs: recordsOf(playwrightSpec),
  suites: v.optional(recordsOf(v.lazy(() => playwrightSuite))),
})
const playwrightSchema = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }),
  suites: recordsOf(playwrightSuite),
})

const firstLine = (message = '') => message.split('\n', 1)[0]

function readVitest(report: unknown): SuiteReport {
  const { numPassedTests, numFailedTests, testResults } = parse(vitestSchema, report)
  const failedFiles = testResults.filter(({ status }) => status === 'failed')
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    failures: failedFiles.map(({ name, assertionResults }) => {
      const titles = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => [fullName, firstLine(failureMessages?.[0])].filter(Boolean).join(': '))
      return [name, ...titles].join('\n    ')
    }),
    tests: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        name: `${relative('tests', name)}: ${fullName}`,
        ms: duration ?? 0,
      })),
    ),
  }
}

function specsOf(suites: PlaywrightSuite[]): PlaywrightSpec[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [...specs, ...specsOf(inner)])
}

/** The first lines of each error of a test, of which there may be two: its time is over, and the step that took it. */
function errorsOf({ tests }: PlaywrightSpec): string[] {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
  return errors.flatMap(({ message = '' }) =>
    stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, ERROR_LINES),
  )
}

function readPlaywright(report: unknown): SuiteReport {
  const { stats, suites } = parse(playwrightSchema, report)
  const specs = specsOf(suites)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: specs
      .filter(({ ok }) => !ok)
      .map((spec) => [`${spec.file}: ${spec.title}`, ...errorsOf(spec)].join('\n    ')),
    tests: specs.map(({ file, title, tests }) => {
      const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration))
      return { name: `e2e/${file}: ${title}`, ms: durations.reduce((sum, ms) => sum + ms, 0) }
    }),
  }
}

/** Reads the JSON report that a suite wrote; a missing file counts as no tests. */
export function readReport(suite: string, file: string): SuiteReport {
  if (!existsSync(file)) return { passed: 0, failed: 0, failures: [], tests: [] }
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return suite === 'e2e' ? readPlaywright(report) : readVitest(report)
}
