import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { expiredBefore, keptUntilOld, periodText, retention } from '../../server/privacy/rules/retention.ts'

/** The rows of the first table below a heading, each as its cells. */
function tableBelow(heading: string, text: string): string[][] {
  const lines = text.slice(text.indexOf(`\n${heading}\n`)).split('\n')
  const start = lines.findIndex((line) => line.startsWith('|---'))
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith('|'))
  return lines.slice(start + 1, start + 1 + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('the table in docs/operations.md matches the server', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const rules = Object.values(retention).map((rule) => [rule.what, periodText(rule), rule.from, rule.why])
  expect(tableBelow('## Retention', text)).toEqual(rules)
})

test('every kind has a period, and reports stay as long as the policy counts them', () => {
  const now = 1_000 * DAY_MS
  for (const kind of keptUntilOld) expect(expiredBefore(kind, now, {})).toBe(now - retention[kind].keptMs)
  const counted = { reports: 400 * DAY_MS, findings: DAY_MS }
  expect(expiredBefore('reports', now, counted)).toBe(now - 400 * DAY_MS)
  expect(expiredBefore('findings', now, counted)).toBe(now - 180 * DAY_MS)
})
