import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { World } from '../../support/browser/fake-world.ts'
import { openProfilePopup } from '../../support/browser/profile-popup.tsx'

const own: OwnLogin = {
  id: 'a'.repeat(43),
  isCurrent: true,
  signedInAt: Date.UTC(2026, 10, 21, 12),
  seenAt: Date.UTC(2026, 10, 21, 12),
  browser: 'Firefox',
  device: 'desktop',
  os: 'Linux',
  city: 'Bern',
  country: 'CH',
}
const phone: OwnLogin = { ...own, id: 'b'.repeat(43), isCurrent: false, browser: 'Chrome', os: 'Android', city: null }
const unknown: OwnLogin = {
  ...own,
  id: 'c'.repeat(43),
  isCurrent: false,
  browser: null,
  device: null,
  os: null,
  city: null,
  country: null,
}

const popup = page.getByRole('region', { name: 'Profile' })
const list = page.getByRole('dialog', { name: 'Where you are signed in' })
const again = page.getByRole('alertdialog', { name: 'Please sign in again' })
const signIn = again.getByRole('button', { name: 'Sign in with Google' })

async function openList(world?: Partial<World>) {
  const fake = await openProfilePopup({ logins: [own, phone, unknown], ...world })
  await popup.getByRole('button', { name: 'Where I am signed in' }).click()
  return fake
}

test('the list shows device, location and time of each login session, and which one is current', async () => {
  await openList()
  const items = list.getByRole('listitem')
  const text = (index: number) => items.nth(index).element().textContent
  await expect.poll(() => text(0)).toMatch(/Firefox on Linux.*This device.*Bern, CH.*Signed in: Nov 21, 2026/)
  expect(text(1)).toMatch(/Chrome on Android.*CH.*Last seen: Nov 21, 2026/)
  expect(text(2)).toMatch(/Unknown device.*Place unknown/)
  await expect.element(items.nth(0).getByRole('button')).not.toBeInTheDocument()
  // Each button is described by its device.
  const end = items.nth(1).getByRole('button', { name: 'End this login' })
  await expect.element(end).toHaveAccessibleDescription('Chrome on Android')
  await expect.element(list.getByRole('button', { name: 'Close' })).toHaveFocus()
})

test('one login session is ended, and the list is read again', async () => {
  const { world, made } = await openList()
  await list.getByRole('listitem').nth(1).getByRole('button', { name: 'End this login' }).click()
  await expect.element(list.getByText('Done. Nobody is signed in there any more.')).toBeVisible()
  await expect.element(list.getByText('Chrome on Android')).not.toBeInTheDocument()
  expect(world.logins).toEqual([own, unknown])
  expect(made.filter((name) => name === 'readLogins')).toHaveLength(2)
})

test('all other login sessions are ended at once, and then the button disappears', async () => {
  await openList()
  await list.getByRole('button', { name: 'End all other logins' }).click()
  await expect.element(list.getByText('Done. Nobody is signed in there any more.')).toBeVisible()
  expect(list.getByRole('listitem').elements()).toHaveLength(1)
  await expect.element(list.getByRole('button', { name: 'End all other logins' })).not.toBeInTheDocument()
})

test('the focus stays in the list when the login session of the pressed button is gone', async () => {
  await openList()
  const end = list.getByRole('listitem').nth(1).getByRole('button', { name: 'End this login' })
  await end.click()
  await expect.element(list.getByText('Chrome on Android')).not.toBeInTheDocument()
  await expect.element(list.getByRole('list')).toHaveFocus()
  await userEvent.tab()
  await expect.element(list.getByRole('button', { name: 'End this login' })).toHaveFocus()
})

test('failures are shown', async () => {
  const { world } = await openList({ failing: ['readLogins'] })
  await expect.element(list.getByText('The list could not be loaded. Please try again.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  world.failing = ['endLogin']
  await popup.getByRole('button', { name: 'Where I am signed in' }).click()
  await list.getByRole('listitem').nth(1).getByRole('button', { name: 'End this login' }).click()
  await expect.element(list.getByText('That did not work. Please try again.')).toBeVisible()
  expect(world.logins).toHaveLength(3)
  await expect.element(list.getByRole('listitem').nth(1).getByRole('button', { name: 'End this login' })).toHaveFocus()
})

test('an export after an old sign-in asks for a new one and then continues', async () => {
  const { saved, made } = await openProfilePopup({ signInIsOld: true })
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect.element(again.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(saved).toEqual([])
  await signIn.click()
  await expect.poll(() => saved).toEqual(['waggle-my-data.json'])
  await expect.element(again).not.toBeInTheDocument()
  expect(made).toContain('signInAgain')
  expect(made).not.toContain('setTokens')
  await expect.element(page.getByRole('button', { name: 'Download my data' })).toHaveFocus()
})

test('a deletion after an old sign-in asks for a new one and then continues', async () => {
  const { made, stores } = await openProfilePopup({ signInIsOld: true })
  await popup.getByRole('button', { name: 'Delete my account' }).click()
  await page
    .getByRole('alertdialog', { name: 'Delete your account?' })
    .getByRole('button', { name: 'Delete my account' })
    .click()
  await signIn.click()
  await expect.poll(() => made.filter((name) => name === 'deleteData')).toHaveLength(2)
  await expect.poll(() => stores.account.email.value).toBe('')
})

test.for([
  ['popup-blocked', 'The sign-in window was blocked. Please allow popups for this site.'],
  ['sign-in-cancelled', 'The sign-in was cancelled.'],
  ['unknown', 'The sign-in did not work. Please try again.'],
] as const)('%s is shown in the dialog, and nothing is done', async ([code, words]) => {
  const { saved, world } = await openProfilePopup({ signInIsOld: true })
  world.identity = () => Promise.reject(new AppError(code))
  await page.getByRole('button', { name: 'Download my data' }).click()
  await signIn.click()
  await expect.element(again.getByText(words)).toBeVisible()
  expect(saved).toEqual([])
  await expect.element(signIn).toHaveFocus()
  await again.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(again).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Download my data' })).toHaveFocus()
})

test('another account is rejected with an explanation', async () => {
  const { saved, stores } = await openProfilePopup({ signInIsOld: true, otherAccount: true })
  await page.getByRole('button', { name: 'Download my data' }).click()
  await signIn.click()
  await expect
    .element(again.getByText('That is another account. Please sign in with the one that you use here.'))
    .toBeVisible()
  expect(saved).toEqual([])
  expect(stores.account.email.value).toBe('ada@example.org')
})

test('list and dialog fit into 320 pixels, and every button is 44 high', async () => {
  await page.viewport(320, 640)
  await openList()
  await expect.element(list.getByText('Chrome on Android')).toBeVisible()
  for (const button of document.querySelectorAll<HTMLElement>('dialog button')) {
    const { height, left, right } = button.getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(320)
  }
  await page.viewport(1280, 800)
})
