import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  chooseCookies,
  cookieChoice,
  followConsent,
  keepCookieChoice,
} from '../../../src/platform/state/cookie-choice.ts'
import { CookieSettings } from '../../../src/ui/frame/cookies.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render, unmount } from '../../support/browser/render.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

test('nothing optional is allowed before consent, and every later change is reported', async () => {
  const reported: boolean[] = []
  followConsent((on) => void reported.push(on))
  expect(reported).toEqual([false])
  render(fakeStores().stores, <CookieSettings />)
  const opener = page.getByRole('button', { name: 'Cookie settings' })
  await opener.click()
  await expect.element(page.getByText('You have not chosen yet: only what is necessary is used.')).toBeVisible()
  await page.getByRole('button', { name: 'Allow all cookies' }).click()
  expect(reported).toEqual([false, true])
  await expect.element(opener).toHaveFocus()
  await opener.click()
  await expect.element(page.getByText('You allow everything.')).toBeVisible()
  await page.getByRole('button', { name: 'Necessary only' }).click()
  expect(reported).toEqual([false, true, false])
})

test('the dialog names what is optional here', async () => {
  const { stores } = fakeStores()
  render(stores, <CookieSettings />)
  await page.getByRole('button', { name: 'Cookie settings' }).click()
  await expect.element(page.getByText(/^Optional: nothing at present\./)).toBeVisible()
  unmount()
  render({ ...stores, config: { ...stores.config, logs: ['Error'] } }, <CookieSettings />)
  await page.getByRole('button', { name: 'Cookie settings' }).click()
  await expect.element(page.getByText(/^Optional: reports about faults of this page/)).toBeVisible()
})

test('a stored choice applies from the start, an invalid one does not', () => {
  const reported: boolean[] = []
  localStorage.setItem('cookieChoice', 'all')
  followConsent((on) => void reported.push(on))
  localStorage.setItem('cookieChoice', 'everything please')
  dispatchEvent(new StorageEvent('storage'))
  expect(reported).toEqual([true, false])
})

test('a consent that is withdrawn while a logout waits for its answer stays withdrawn', () => {
  chooseCookies('necessary')
  // Another tab.
  localStorage.setItem('cookieChoice', 'all')
  const restore = keepCookieChoice()
  chooseCookies('necessary')
  localStorage.clear()
  restore()
  expect(cookieChoice()).toBe('necessary')
})

test('a logout keeps the choice that another tab has made before it', () => {
  chooseCookies('all')
  localStorage.setItem('cookieChoice', 'necessary')
  const restore = keepCookieChoice()
  localStorage.clear()
  restore()
  expect(cookieChoice()).toBe('necessary')
})
