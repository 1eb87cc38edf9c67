import { expect, type Locator, type Page } from '@playwright/test'
import { chatOf, expectLivePicture, test } from './people.ts'

/** More than the number of focusable elements of any screen. */
const STOPS_MAX = 60

/** Presses Tab until `target` has the focus. Throws if it is not reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} is not reached by Tab`)
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function signInByKeyboard(page: Page, nickName: string): Promise<void> {
  await page.goto('/')
  const opening = page.waitForEvent('popup')
  await press(page, page.getByRole('button', { name: 'Sign in with Google' }))
  const popup = await opening
  await tabTo(popup, popup.getByLabel('E-mail'))
  await popup.keyboard.type(`keys-${nickName.toLowerCase()}@example.org`)
  await tabTo(popup, popup.getByLabel('First name'))
  await popup.keyboard.type(nickName)
  await tabTo(popup, popup.getByLabel('Last name'))
  await popup.keyboard.type('Keys')
  const closed = popup.waitForEvent('close')
  // The key is not released: the popup closes by itself, and a closed page takes no keys.
  await popup.keyboard.down('Enter')
  await closed

  await tabTo(page, page.getByLabel('Nickname'))
  await page.keyboard.type(nickName)
  const birth = page.getByLabel('Date of birth')
  await tabTo(page, birth)
  const before = await birth.inputValue()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('grid').locator(':focus')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid')).toBeHidden()
  await expect(birth).toBeFocused()
  await expect(birth).not.toHaveValue(before)
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toBeHidden()
  await tabTo(page, page.getByRole('radio', { name: 'Boy' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Girl' })).toBeChecked()
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await press(page, page.getByRole('button', { name: 'Accept' }))
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
}

test('a whole visit needs no mouse: sign-in, profile, dashboard, call, report, logout', async ({
  arrive,
  browser,
  server,
}) => {
  const peer = await arrive('Lou')
  const lou = peer.page
  const context = await browser.newContext({
    baseURL: server.url,
    permissions: ['camera', 'microphone'],
    serviceWorkers: 'block',
  })
  const kim = await context.newPage()
  await signInByKeyboard(kim, 'Kim')
  const pages = [kim, lou]

  // A dialog of the dashboard returns the focus when it closes.
  const menu = kim.getByRole('button', { name: 'Camera and sound' })
  await press(kim, menu)
  await expect(kim.getByRole('dialog', { name: 'Camera and sound' })).toBeVisible()
  await kim.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  const profile = kim.getByRole('button', { name: /Kim/ })
  await press(kim, profile)
  await expect(kim.getByRole('button', { name: 'Logout' })).toBeVisible()
  await kim.keyboard.press('Escape')
  await expect(profile).toBeFocused()

  for (const page of pages) await press(page, page.getByRole('button', { name: 'Start video chat' }))
  for (const page of pages) await expectLivePicture(page.getByLabel('Peer video'))

  await tabTo(kim, kim.getByLabel('Message'))
  await kim.keyboard.type('Hello by keys')
  await kim.keyboard.press('Shift+Enter')
  await kim.keyboard.type('on two lines')
  await kim.keyboard.press('Enter')
  await expect(chatOf(peer).getByText('on two lines')).toBeVisible()
  await tabTo(kim, kim.getByRole('log', { name: 'Chat' }))
  const microphone = kim.getByRole('button', { name: 'Microphone', exact: true })
  await tabTo(kim, microphone)
  await kim.keyboard.press(' ')
  await expect(microphone).toHaveAttribute('aria-pressed', 'false')
  await kim.keyboard.press(' ')

  const report = kim.getByRole('button', { name: 'Report User' })
  await press(kim, report)
  await expect(kim.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await kim.keyboard.press('Escape')
  await expect(report).toBeFocused()
  await kim.keyboard.press('Enter')
  await tabTo(kim, kim.getByRole('radio', { name: /Report only:/ }))
  await expect(kim.getByRole('button', { name: 'Leave now' })).toBeVisible()
  await press(kim, kim.getByRole('button', { name: 'Ok' }))

  await expect(lou.getByRole('alertdialog', { name: 'Warning: You Have Been Reported' })).toBeVisible()
  await expect(lou.getByRole('button', { name: 'Understood', exact: true })).toBeEnabled()
  await press(lou, lou.getByRole('button', { name: 'Understood', exact: true }))

  await press(kim, kim.getByRole('button', { name: 'Cancel Matching' }))
  await press(kim, kim.getByRole('button', { name: /Kim/ }))
  await press(kim, kim.getByRole('button', { name: 'Logout' }))
  await expect(kim.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  await context.close()
})
