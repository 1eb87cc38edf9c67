import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleInput } from '#protocol/console.ts'
import type { OpenedContentNotice } from '#protocol/console-notices.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { showConsole } from '../../support/browser/console-page.tsx'

const hostile =
  '<script>window.hacked = true</script><img src=x onerror="window.hacked = true"> [a](javascript:alert(1))'

function notice(dueInMs: number, change: Partial<OpenedContentNotice> = {}): OpenedContentNotice {
  return {
    id: 'n1',
    reference: '0A1B2C3D4E5F',
    kind: 'intimate-picture',
    at: Date.now() - DAY_MS,
    dueAt: Date.now() + dueInMs + 1_000,
    email: 'zoe@example.org',
    day: '2026-01-02',
    time: '23:59',
    description: hostile,
    link: 'https://bank.example@example.org/place',
    signature: 'Zoë Ünal',
    isGoodFaith: true,
    answer: null,
    emailState: 'off',
    ...change,
  }
}

const summaryOf = ({ id, reference, kind, at, dueAt }: OpenedContentNotice) => ({ id, reference, kind, at, dueAt })
const notices = page.getByRole('region', { name: 'Notices' })
const view = page.getByRole('article', { name: 'Notice 0A1B-2C3D-4E5F' })

/** Whether the queue of notices stands above the search field. */
async function isAbove(): Promise<boolean> {
  const list = notices.element()
  const search = page.getByRole('searchbox').element()
  return (list.compareDocumentPosition(search) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

test.each([
  { dueInMs: 3 * DAY_MS, above: false, words: '3 days left' },
  { dueInMs: 5 * HOUR_MS, above: true, words: '5 hours left' },
  { dueInMs: -2 * HOUR_MS, above: true, words: /hours? overdue/ },
])('a notice that is due in $dueInMs ms stands above the cases: $above', async ({ dueInMs, above, words }) => {
  const one = notice(dueInMs)
  await showConsole({ readContentNotices: () => ({ notices: [summaryOf(one)], open: 1 }) })
  await expect.element(notices.getByText('0A1B-2C3D-4E5F')).toBeVisible()
  await expect.element(notices.getByText(words)).toBeVisible()
  expect(await isAbove()).toBe(above)
})

test('a notice is shown as text without a link, and answered; without a mail server the moderator is told', async () => {
  let one = notice(HOUR_MS)
  const answers: ConsoleInput<'answerContentNotice'>[] = []
  await showConsole({
    readContentNotices: () => ({ notices: one.answer ? [] : [summaryOf(one)], open: one.answer ? 0 : 1 }),
    openContentNotice: () => one,
    answerContentNotice(input) {
      answers.push(input)
      one = { ...one, answer: { outcome: input.outcome, text: input.text, at: Date.now(), moderator: 'mia' } }
      return one
    },
  })
  await notices.getByRole('link').click()
  await expect.element(view.getByText(hostile)).toBeVisible()
  await expect.element(view.getByText(/https:\/\/bank\.example@example\.org\/place \(on example\.org\)$/)).toBeVisible()
  expect(view.getByRole('link').elements()).toEqual([])
  expect(view.getByRole('img').elements()).toEqual([])
  expect('hacked' in window).toBe(false)
  await expect.element(view.getByText(/^No mail server is configured/)).toBeVisible()
  await view.getByRole('combobox').selectOptions('We could not act')
  await view.getByLabelText('Answer to the person').fill('It is not here.')
  await view.getByRole('button', { name: 'Answer' }).click()
  await expect.element(view.getByText(/^We could not act, by mia/)).toBeVisible()
  await expect.element(view.getByText(/^No mail server is configured/)).toBeVisible()
  await expect.element(notices).not.toBeInTheDocument()
  expect(answers).toEqual([{ id: 'n1', outcome: 'declined', text: 'It is not here.' }])
})

test('an answer that fails stays as it was typed, and one that came first is shown instead', async () => {
  let one = notice(HOUR_MS, { emailState: 'waiting' })
  let code: 'network-error' | 'wrong-state' = 'network-error'
  await showConsole({
    readContentNotices: () => ({ notices: [summaryOf(one)], open: 1 }),
    openContentNotice: () => one,
    answerContentNotice() {
      throw new AppError(code)
    },
  })
  await notices.getByRole('link').click()
  await view.getByLabelText('Answer to the person').fill('A long answer')
  await view.getByRole('button', { name: 'Answer' }).click()
  await expect.element(page.getByRole('alert').getByText(/network is away/)).toBeVisible()
  await expect.element(view.getByLabelText('Answer to the person')).toHaveValue('A long answer')
  code = 'wrong-state'
  one = { ...one, answer: { outcome: 'acted', text: 'By noa', at: Date.now(), moderator: 'noa' } }
  await view.getByRole('button', { name: 'Answer' }).click()
  await expect.element(view.getByText('By noa')).toBeVisible()
  await expect.element(view.getByText('The e-mail is on its way.')).toBeVisible()
})
