import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'

/** Most lines shown of each error of an e2e test: the message, and where the test waited. */
const ERROR_LINES = 12

type TimedTest = { name: string; ms: number }
export type SuiteReport = { passed: number; failed: number; failures: string[]; tests: TimedTest[] }

const firstLine = (message = '') => message.split('\n', 1)[0]

function readVitest({ numPassedTests, numFailedTests, testResults }: JsonTestResults): SuiteReport {
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

function specsOf(suites: JSONReportSuite[]): JSONReportSpec[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [...specs, ...specsOf(inner)])
}

/** Returns the first lines of each error. A test that timed out has two errors: the timeout, and the step in which it waited. */
function errorsOf({ tests }: JSONReportSpec): string[] {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
  return errors.flatMap(({ message = '' }) =>
    stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, ERROR_LINES),
  )
}

function readPlaywright({ stats, suites }: JSONReport): SuiteReport {
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
  const report = JSON.parse(readFileSync(file, 'utf8'))
  return suite === 'e2e' ? readPlaywright(report) : readVitest(report)
}
