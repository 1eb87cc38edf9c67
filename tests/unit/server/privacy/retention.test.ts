import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { RESULT_KEPT_MS } from '../../../../server/platform/rules/idempotency.ts'
import { expiredBefore, keptByFeatures, keptMs, keptUntilOld } from '../../../../server/privacy/rules/retention.ts'
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

const rows = tableBelow(
  '## Retention',
  readFileSync(join(import.meta.dirname, '../../../../docs/retention.md'), 'utf8'),
)
const riskSignalMs = readConfig({}).moderation.riskSignalDays * DAY_MS
/** The periods of the server, by kind. All other kinds stay until an event. */
const periods: Record<string, number> = {
  ...keptMs,
  ...Object.fromEntries(Object.entries(keptByFeatures).map(([kind, rule]) => [kind, rule.keptMs])),
  'risk-signals': riskSignalMs,
  'banned-signals': riskSignalMs,
  repeats: RESULT_KEPT_MS,
}
const untilEvent = ['accounts', 'bans', 'blocks', 'case-notices', 'refused-words', 'status-history']

/** The period as the table states it, in days or minutes. */
function periodText(ms: number): string {
  if (ms > 0 && ms < HOUR_MS) return `${ms / MINUTE_MS} minutes`
  return ms === DAY_MS ? '1 day' : `${ms / DAY_MS} days`
}

test('the table in docs/retention.md has every kind with the period of the server, and says why', () => {
  const stated = new Map(rows.map(([kind = '', , period = '']) => [kind.replaceAll('`', ''), period]))
  expect([...stated.keys()].sort()).toEqual([...Object.keys(periods), ...untilEvent].sort())
  for (const [kind, period] of stated) {
    const ms = periods[kind]
    expect([kind, period]).toEqual([kind, ms === undefined ? expect.stringMatching(/^until /) : periodText(ms)])
  }
  for (const [, what, period, from, why] of rows)
    expect([what, why, from !== '']).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/./),
      !/^until /.test(period ?? ''),
    ])
})

test.each(['en', 'es'] as const)('the privacy notice in %s names the periods of the server', async (language) => {
  const texts = await loadTexts(language, 'privacy')
  const daysIn = (key: string) => [...String(texts[`privacy.kept.${key}`]).matchAll(/\d+/g)].map(Number)
  const daysOf = (...kinds: string[]) => kinds.map((kind) => (periods[kind] ?? Number.NaN) / DAY_MS)
  expect(daysIn('account')).toEqual([])
  expect(untilEvent).toEqual(expect.arrayContaining(['accounts', 'blocks', 'status-history']))
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
  for (const kind of keptUntilOld) expect(expiredBefore(kind, now, {})).toBe(now - keptMs[kind])
  const counted = { reports: 400 * DAY_MS, findings: DAY_MS }
  expect(expiredBefore('reports', now, counted)).toBe(now - 400 * DAY_MS)
  expect(expiredBefore('findings', now, counted)).toBe(now - 180 * DAY_MS)
})
