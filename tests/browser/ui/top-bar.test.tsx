import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ProfilePopup } from '../../../src/account/screens/profile-popup.tsx'
import { blockPictureSaving } from '../../../src/app/block-picture-saving.ts'
import { PublicLinks, TopBar } from '../../../src/ui/frame/top-bar.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

const publicBar = (
  <TopBar>
    <PublicLinks />
  </TopBar>
)

async function signedIn() {
  const fake = fakeVisit()
  await fake.stores.account.start()
  return {
    ...fake,
    ...render(
      fake.stores,
      <TopBar>
        <ProfilePopup />
      </TopBar>,
    ),
  }
}

const greeting = page.getByRole('button', { name: 'Hi, Ada' })
const popup = page.getByRole('region', { name: 'Profile' })

test('the profile popup opens and closes with its button, by Close, by Escape and by a click outside', async () => {
  await signedIn()
  const ways = [
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => userEvent.keyboard('{Escape}'),
    () => userEvent.click(document.body, { position: { x: 5, y: 400 } }),
    () => greeting.click(),
  ]
  for (const close of ways) {
    await greeting.click()
    await expect.element(popup).toBeVisible()
    await expect.element(popup.getByText('ada@example.org')).toBeVisible()
    await close()
    await expect.element(popup).not.toBeInTheDocument()
  }
})

test('in a low window everything in the profile popup can be scrolled to', async () => {
  await page.viewport(740, 360)
  await signedIn()
  await greeting.click()
  await expect.element(popup).toBeVisible()
  const box = popup.element()
  expect(box.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
  const picture = box.querySelector('img')?.getBoundingClientRect()
  // Not squeezed; the browser may round by a fraction of a pixel.
  expect(picture?.height).toBeCloseTo(picture?.width ?? 0, 2)
  const last = page.getByRole('link', { name: 'About Us' }).element()
  last.scrollIntoView()
  expect(last.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
})

test('Logout sends the request, clears the user and leads to the splash screen', async () => {
  const { stores, requests } = await signedIn()
  await greeting.click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => stores.account.email.value).toBe('')
  expect(requests('logout')).toHaveLength(1)
  await expect.element(page.getByTestId('address')).toHaveTextContent('/')
})

test('a nickname that changes reaches the screen without its components running again', async () => {
  const { stores, runs } = await signedIn()
  await expect.element(greeting).toBeVisible()
  const before = runs()
  await stores.account.saveProfile({ nickName: 'Grace', gender: 'girl', dateOfBirth: '1985-12-09' })
  await expect.element(page.getByRole('button', { name: 'Hi, Grace' })).toBeVisible()
  expect(runs()).toBe(before)
})

test('below 1024 pixels the links of the public bar are behind More options', async () => {
  await page.viewport(390, 844)
  render(fakeVisit().stores, publicBar)
  const terms = page.getByRole('link', { name: 'Terms & Conditions' })
  await expect.element(page.getByRole('link', { name: 'Home' })).toBeVisible()
  await expect.element(terms).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'More options' }).click()
  await terms.click()
  await expect.element(page.getByTestId('address')).toHaveTextContent('/terms-of-service')
  await expect.element(terms).not.toBeInTheDocument()
})

test('the link of the current page is marked', async () => {
  await page.viewport(1280, 800)
  render(fakeVisit().stores, publicBar)
  await expect.element(page.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'About Us' }).click()
  await expect.element(page.getByRole('link', { name: 'About Us' })).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current')
})

test('right-click and dragging of pictures are blocked, but not in text boxes', () => {
  const unblock = blockPictureSaving(document)
  const picture = document.body.appendChild(new Image())
  const box = document.body.appendChild(document.createElement('textarea'))
  const allowed = (target: Element, type: string) =>
    target.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))
  expect(allowed(picture, 'contextmenu')).toBe(false)
  expect(allowed(picture, 'dragstart')).toBe(false)
  expect(allowed(box, 'contextmenu')).toBe(true)
  expect(allowed(box, 'dragstart')).toBe(true)
  unblock()
  expect(allowed(picture, 'contextmenu')).toBe(true)
  picture.remove()
  box.remove()
})
