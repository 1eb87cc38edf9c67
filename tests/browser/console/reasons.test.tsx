import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { HOUR_MS } from '#protocol/durations.ts'
import { renderConsole, showCase } from '../../support/browser/console-page.tsx'
import { openReport, summary } from '../../support/browser/fake-console.ts'

test.each([
  ['under-18', 'May be under 18', 5.5 * HOUR_MS, '5 hours left'],
  ['intimate-without-consent', 'Intimate pictures without consent', -2.5 * HOUR_MS, '2 hours overdue'],
] as const)('the queue shows a case with the clock %s with reason and time', async (reason, name, left, time) => {
  const dueAt = Date.now() + left
  const urgent = { ...summary('a'), dueAt, priority: { reason, dueAt, weight: 1 } }
  renderConsole({ readQueue: () => ({ cases: [urgent, summary('b')], open: 2, next: null }) }, '/moderation')
  const row = page.getByRole('list', { name: 'Open cases' }).getByRole('link').first()
  await expect.element(row).toBeVisible()
  expect(row.element().textContent).toContain(`${name} · Reports`)
  expect(row.element().textContent).toContain(time)
})

test.each([
  [5.5 * HOUR_MS, '5 hours left'],
  [-2.5 * HOUR_MS, '2 hours overdue'],
] as const)('a case shows the reason of a clock and its end: %d ms, %s', async (left, time) => {
  const dueAt = Date.now() + left
  const priority = { reason: 'under-18', dueAt, weight: 1 } as const
  const shown = await showCase({ dueAt, priority, openReports: [{ ...openReport, reason: 'under-18', dueAt }] })
  await expect.element(shown.getByText('To be decided first')).toBeVisible()
  await expect.element(shown.getByText(new RegExp(`May be under 18 · to be decided by .*, ${time}`))).toBeVisible()
})

test('the reporter’s words are text and nothing else, and what the safety check saw is called a hint that could be forged', async () => {
  const note = '<img src=x onerror=alert(1)> at the window'
  const curtain = { model: 'mobilenet', flagged: 3, looks: 40 }
  const shown = await showCase({ openReports: [{ ...openReport, reason: 'other', note, curtain }] })
  await expect.element(shown.getByText('Something else')).toBeVisible()
  await expect.element(shown.getByText(note)).toBeVisible()
  expect(shown.element().querySelector('img')).toBeNull()
  await expect
    .element(shown.getByText(/safety check flagged 3 of 40 looks \(mobilenet\)\. Sent by .*: could be forged/))
    .toBeVisible()
})

test('a report without a reason says so, and a decided one has no clock', async () => {
  const closed = { ...openReport, session: 't', reason: 'under-18', dueAt: 1, outcome: 'dismissed' } as const
  const shown = await showCase({ openReports: [openReport], closedReports: [closed] })
  await expect.element(shown.getByText('No reason given')).toBeVisible()
  await expect.element(shown.getByText('May be under 18')).toBeVisible()
  expect(shown.element().textContent).not.toContain('to be decided by')
})
