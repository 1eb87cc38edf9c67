import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Case } from '#protocol/console.ts'
import { HOUR_MS } from '#protocol/durations.ts'
import { ConsolePage } from '../../../src/pages/console/console-page.tsx'
import { createConsoleStore } from '../../../src/stores/console.ts'
import { fakeConsoleApi, summary, whole } from '../../support/browser/fake-console.ts'

let open: { root: Root; host: HTMLElement } | null = null
afterEach(() => {
  open?.root.unmount()
  open?.host.remove()
})

type Report = Case['openReports'][number]

const report: Report = {
  session: 's',
  reporter: '01234567',
  reporterCase: '0123456789',
  type: 'ReportOnly',
  reason: null,
  note: null,
  curtain: null,
  dueAt: null,
  at: 0,
  callMs: 60_000,
  weight: 1,
  upheld: 0,
  dismissed: 0,
  retaliation: false,
  reporterSaw: true,
  reportedSaw: true,
  sentOwnCamera: false,
  agreement: 'unknown',
  reporterSince: 0,
  keptCalls: 1,
  earlierToday: 0,
  standing: true,
  outcome: null,
}

function mount(given: Partial<Case>, address: string): void {
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  open = { root, host }
  const { priority = null, dueAt = 0 } = given
  const api = fakeConsoleApi({
    readCase: ({ id }) => ({ ...whole(id), ...given }),
    readQueue: () => ({ cases: [{ ...summary('a'), priority, dueAt }, summary('b')], open: 2, next: null }),
  })
  const store = createConsoleStore({ api, log: { info() {}, error() {} } })
  root.render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/moderation/:caseId?" element={<ConsolePage store={store} />} />
      </Routes>
    </MemoryRouter>,
  )
}

async function show(given: Partial<Case>) {
  mount(given, '/moderation/a')
  const shown = page.getByRole('article', { name: 'Case of a' })
  await expect.element(shown).toBeVisible()
  return shown
}

test.each([
  ['under-18', 'May be under 18', 5.5 * HOUR_MS, '5 hours left'],
  ['intimate-without-consent', 'Intimate pictures without consent', -2.5 * HOUR_MS, '2 hours overdue'],
] as const)('the queue shows a case with the clock %s with reason and time', async (reason, name, left, time) => {
  const dueAt = Date.now() + left
  mount({ dueAt, priority: { reason, dueAt } }, '/moderation')
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
  const priority = { reason: 'under-18', dueAt } as const
  const shown = await show({ dueAt, priority, openReports: [{ ...report, reason: 'under-18', dueAt }] })
  await expect.element(shown.getByText('To be decided first')).toBeVisible()
  await expect.element(shown.getByText(new RegExp(`May be under 18 · to be decided by .*, ${time}`))).toBeVisible()
})

test('the reporter’s words are text and nothing else, and what the safety check saw is called a hint that could be forged', async () => {
  const note = '<img src=x onerror=alert(1)> at the window'
  const curtain = { model: 'mobilenet', flagged: 3, looks: 40 }
  const shown = await show({ openReports: [{ ...report, reason: 'other', note, curtain }] })
  await expect.element(shown.getByText('Something else')).toBeVisible()
  await expect.element(shown.getByText(note)).toBeVisible()
  expect(shown.element().querySelector('img')).toBeNull()
  await expect
    .element(shown.getByText(/safety check flagged 3 of 40 looks \(mobilenet\)\. Sent by .*: could be forged/))
    .toBeVisible()
})

test('a report without a reason says so, and a decided one has no clock', async () => {
  const closed = { ...report, session: 't', reason: 'under-18', dueAt: 1, outcome: 'dismissed' } as const
  const shown = await show({ openReports: [report], closedReports: [closed] })
  await expect.element(shown.getByText('No reason given')).toBeVisible()
  await expect.element(shown.getByText('May be under 18')).toBeVisible()
  expect(shown.element().textContent).not.toContain('to be decided by')
})
