import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { expiredBefore, keptUntilOld, periodText, retention } from '../../../../server/privacy/rules/retention.ts'
import { loadTexts } from '../../../../src/platform/texts/catalogue.ts'

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

test('the table in docs/retention.md matches the server', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/retention.md'), 'utf8')
  const rules = Object.values(retention).map((rule) => [rule.what, periodText(rule), rule.from, rule.why])
  expect(tableBelow('## Retention', text)).toEqual(rules)
})

test.each(['en', 'es'] as const)('the privacy notice in %s names the periods of the server', async (language) => {
  const texts = await loadTexts(language, 'privacy')
  const daysIn = (key: string) => [...String(texts[`privacy.kept.${key}`]).matchAll(/\d+/g)].map(Number)
  const daysOf = (...kinds: (keyof typeof retention)[]) => kinds.map((kind) => (retention[kind].keptMs ?? 0) / DAY_MS)
  expect(daysIn('account')).toEqual([])
  expect([retention.accounts, retention.blocks, retention['status-history']].map(({ keptMs }) => keptMs)).toEqual([
    null,
    null,
    null,
  ])
  expect(daysIn('met')).toEqual(daysOf('meetings'))
  expect(daysIn('reports')).toEqual(daysOf('reports', 'decided-reports'))
  expect(daysOf('findings', 'frames', 'frame-signals')).toEqual(daysOf('reports', 'match-records', 'match-records'))
  expect(daysIn('calls')).toEqual(daysOf('match-records'))
  expect(daysIn('visits')).toEqual(daysOf('old-login-sessions', 'ip-details'))
  expect(daysIn('codes')).toEqual(daysOf('risk-signals'))
  expect(daysIn('content-notices')).toEqual(daysOf('content-notices'))
  expect([...daysIn('deleted'), ...daysIn('deleted')]).toEqual(daysOf('kept-reports', 'kept-blocks'))
  expect(daysIn('logs')).toEqual(daysOf('log-entries'))
})

test('every kind has a period, and reports stay as long as the policy counts them', () => {
  const now = 1_000 * DAY_MS
  for (const kind of keptUntilOld) expect(expiredBefore(kind, now, {})).toBe(now - retention[kind].keptMs)
  const counted = { reports: 400 * DAY_MS, findings: DAY_MS }
  expect(expiredBefore('reports', now, counted)).toBe(now - 400 * DAY_MS)
  expect(expiredBefore('findings', now, counted)).toBe(now - 180 * DAY_MS)
})
