import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import { texts } from '../../../src/ui/texts/en/first.ts'
import { Toasts } from '../../../src/ui/toasts.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

const overlay = page.getByRole('alertdialog')
const again = page.getByRole('button', { name: 'Try again !' })

function visit() {
  const fake = fakeVisit()
  const restart = vi.fn<() => void>()
  render(fake.stores, <Toasts restart={restart} />)
  return { ...fake, restart, toasts: fake.stores.toasts }
}

test('a failed request shows its numbered message over the whole screen, and Try again restarts', async () => {
  const { toasts, restart } = visit()
  toasts.fail(new AppError('timeout'), 'test')
  await expect.element(page.getByRole('heading', { name: 'Oops! Something went wrong.' })).toBeVisible()
  await expect
    .element(page.getByText('Error 303: The request is taking longer than expected. Please try again.'))
    .toBeVisible()
  expect(overlay.element().getBoundingClientRect().toJSON()).toMatchObject({ width: innerWidth, height: innerHeight })
  await expect.element(again).toHaveFocus()
  await again.click()
  expect(restart).toHaveBeenCalledOnce()
})

test.each([
  [new AppError('worker-died'), 'Error E400: Something went wrong.'],
  [new AppError('timeout', 'request: timeout', { worker: true }), 'Error E303: The request is taking longer'],
  [new AppError('hub-unavailable'), 'Error E300: Unable to connect to our services.'],
] as const)('a failure between the parts of the client shows its number with an E: %s', async (error, text) => {
  const { toasts } = visit()
  toasts.fail(error, 'test')
  await expect.element(page.getByRole('heading', { name: 'Oops! Something went wrong.' })).toBeVisible()
  await expect.element(overlay).toMatchTextContent(text)
})

test('a search that found no hub says so with the number E300', async () => {
  const { toasts, stores } = visit()
  toasts.show('toasts.hub-unavailable')
  const words = 'Unable to connect to our services. Please check your internet connection and try again.'
  await expect.element(page.getByText(`Error E300: ${words}`)).toBeVisible()
  expect(stores.texts.t('first.failure.300')).toBe(`Error <code/>: ${words}`)
})

test('several failed requests open one popup, whose text stays', async () => {
  const { toasts } = visit()
  toasts.fail(new AppError('timeout'), 'first')
  await expect.element(page.getByText(/^Error 303: /)).toBeVisible()
  for (let count = 0; count < 20; count += 1) toasts.fail(new AppError('network-error'), 'later')
  toasts.fail(new AppError('session-incomplete'), 'last')
  // Shown after all failures.
  toasts.show('toasts.peer-left', { nickName: 'Béla' })
  await expect.element(page.getByText('Béla has left the chat.')).toBeInTheDocument()
  await expect.element(page.getByText(/^Error 303: /)).toBeVisible()
  expect(overlay.elements()).toHaveLength(1)
})

test('an error of the application shows one of the ten friendly texts', async () => {
  const { toasts } = visit()
  toasts.fail(new AppError('session-incomplete'), 'test')
  await expect.element(again).toBeVisible()
  const friendly = Object.entries(texts).filter(([key]) => key.startsWith('first.friendly.'))
  const shown = friendly.filter(([, text]) => overlay.element().textContent?.includes(text)).map(([key]) => key)
  expect(shown).toHaveLength(2)
  const [title = '', text] = shown
  expect(text).toBe(title.replace('.title', '.text'))
  expect(new Set(friendly.map(([, sentence]) => sentence)).size).toBe(20)
})

test('a refusal shows its own texts, and no number', async () => {
  const { toasts, restart } = visit()
  toasts.fail(new AppError('underage', 'no', { status: 400 }), 'welcome')
  await expect.element(page.getByRole('heading', { name: 'Waggle is for adults' })).toBeVisible()
  await expect.element(page.getByText(/^You must be 18 years or older/)).toBeVisible()
  await expect.element(page.getByText(/Error \d/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Back to the start' }).click()
  expect(restart).toHaveBeenCalledOnce()
})

test('Escape does not close the overlay', async () => {
  const { toasts } = visit()
  toasts.fail(new AppError('timeout'), 'test')
  await expect.element(overlay).toBeVisible()
  for (let count = 0; count < 3; count += 1) {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    overlay.element().dispatchEvent(new Event('cancel', { cancelable: true }))
  }
  await expect.element(overlay).toBeVisible()
})

test('a message appears in an existing live region, and disappears by itself or when it is closed', async () => {
  const { toasts, runTimers } = visit()
  const region = page.getByRole('status').last()
  await expect.element(region).toHaveTextContent('')
  toasts.show('toasts.peer-left', { nickName: 'Béla' })
  await expect.element(region).toHaveTextContent('Béla has left the chat.')
  runTimers()
  await expect.element(region).toHaveTextContent('')
  toasts.show('toasts.sign-in-cancelled')
  await page.getByRole('button', { name: 'Close message' }).click()
  await expect.element(region).toHaveTextContent('')
})

const statusLink = page.getByRole('link', { name: 'See what works now' })

test.each([
  new AppError('network-error'),
  new AppError('server-unreachable', 'no', { status: 502 }),
  new AppError('hub-unavailable'),
])('a failure of the service leads to the page that says what works: %s', async (error) => {
  const { toasts } = visit()
  toasts.fail(error, 'test')
  await expect.element(statusLink).toHaveAttribute('href', '/status')
  await expect.element(statusLink).not.toHaveAttribute('target')
  await expect.element(again).toHaveFocus()
})

test('where input would be lost, the page that says what works opens beside this one', async () => {
  const { toasts } = visit()
  toasts.fail(new AppError('network-error'), 'test', { again() {}, back() {} })
  await expect.element(statusLink).toHaveAttribute('target', '_blank')
  await expect.element(again).toHaveFocus()
})

test.each([
  new AppError('worker-died'),
  new AppError('session-incomplete'),
  new AppError('underage', 'no', { status: 400 }),
])('a failure that is none of the service does not lead there: %s', async (error) => {
  const { toasts } = visit()
  toasts.fail(error, 'test')
  await expect.element(overlay).toBeVisible()
  await expect.element(statusLink).not.toBeInTheDocument()
})

test('the popup about a hub that was not found leads there, no other one', async () => {
  const { toasts } = visit()
  toasts.show('toasts.hub-unavailable')
  await expect.element(statusLink).toHaveAttribute('target', '_blank')
  toasts.show('toasts.peer-left', { nickName: 'Béla' })
  await expect.element(page.getByText('Béla has left the chat.')).toBeVisible()
  await expect.element(statusLink).not.toBeInTheDocument()
})
