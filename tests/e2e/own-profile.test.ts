import { expect, type Page } from '@playwright/test'
import { inspect } from './inspect.ts'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

// Rules: docs/product.md ACCOUNT-2, ACCOUNT-3.

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Your profile' })

async function openEditor(page: Page) {
  await page.getByRole('button', { name: /^Hi, / }).click()
  await page.getByRole('button', { name: 'Edit profile' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Nickname')).toBeVisible()
  return dialog
}

/** Changes the nickname, takes a picture with the camera and shows it to others. */
async function changeProfile({ page }: Person, nickName: string): Promise<void> {
  const dialog = await openEditor(page)
  await dialog.getByRole('button', { name: 'Use the camera' }).click()
  await expectLivePicture(dialog.getByLabel('My video'))
  await dialog.getByRole('button', { name: 'Take the picture' }).click()
  await dialog.getByLabel('Zoom').press('End')
  await dialog.getByRole('switch', { name: 'Show my picture to the people I meet' }).click()
  await dialog.getByLabel('Nickname').fill(nickName)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: `Hi, ${nickName}` })).toBeVisible()
  await page.keyboard.press('Escape')
}

/** Resolves with the address from which this page reads the picture of its peer. */
const pictureRequestOf = async ({ page }: Person) =>
  (await page.context().waitForEvent('request', (request) => request.url().includes('/match/picture/get'))).url()

/** In a tab with `no-way`, peer connections find no way to the other side, so that a match stays in its setup. */
function withoutAWay(): void {
  if (location.protocol !== 'http:' || sessionStorage.getItem('no-way') === null) return
  const Real = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super({ ...configuration, iceServers: [], iceTransportPolicy: 'relay' })
    }
  }
}

test('a changed nickname and picture are seen by the peer in the call, and by nobody after it', async ({ arrive }) => {
  const ada = await arrive('Ada')
  const bob = await arrive('Bob')
  await changeProfile(ada, 'Ada Augusta')

  await test.step('nickname and picture are shown as soon as a match is found', async () => {
    await bob.page.addInitScript(withoutAWay)
    await bob.page.evaluate(() => sessionStorage.setItem('no-way', 'on'))
    await bob.page.reload()
    await startChat(ada)
    await startChat(bob)
    await expect(bob.page.getByRole('heading', { name: 'Match found!' })).toBeVisible()
    await expect(bob.page.getByText('Calling Ada Augusta...')).toBeVisible()
    await expect(bob.page.locator('img[src^="blob:"]')).toBeVisible()
    await bob.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(bob.page).toHaveURL(/\/dashboard$/)
    await ada.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(ada.page).toHaveURL(/\/dashboard$/)
    await bob.page.evaluate(() => sessionStorage.removeItem('no-way'))
    await bob.page.reload()
  })

  const asked = pictureRequestOf(bob)
  await startChat(ada)
  await startChat(bob)
  await expectLivePicture(bob.page.getByLabel('Peer video'))
  await expect(bob.page.getByRole('region', { name: 'Pictures' }).getByText('Ada Augusta')).toBeVisible()
  const picture = bob.page.locator('img[src^="blob:"]')
  await expect(picture).toHaveCount(1)
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
    128, 128,
  ])
  const address = await asked
  expect((await bob.context.request.get(address)).status()).toBe(200)
  expect((await ada.context.request.get(address)).status()).toBe(200)
  const eve = await arrive('Eve')
  expect((await eve.context.request.get(address)).status()).toBe(404)
  await bob.page.getByRole('button', { name: 'Exit', exact: true }).click()
  await expect(ada.page.getByText('Bob has left the chat.')).toBeVisible()
  expect((await bob.context.request.get(address)).status()).toBe(404)
  await expect(picture).toHaveCount(0)
  // The chosen picture is there after a reload.
  await ada.page.goto('/')
  await expect(ada.page.getByRole('button', { name: 'Hi, Ada Augusta' }).locator('img[src^="blob:"]')).toBeVisible()
})

test('the editor has no fault at any width, and works with the keyboard', async ({ arrive }) => {
  const { page } = await arrive('Gala')
  const dialog = await openEditor(page)
  await dialog.getByRole('button', { name: 'Use the camera' }).press('Enter')
  await dialog.getByRole('button', { name: 'Take the picture' }).press('Enter')
  const crop = dialog.getByLabel('Part of the picture that is kept')
  const before = await crop.inputValue()
  await crop.press('ArrowLeft')
  expect(Number(await crop.inputValue())).toBeGreaterThan(Number(before))
  await inspect(page, 'profile-editor')
  await dialog.getByRole('switch').press('Space')
  await dialog.getByLabel('Nickname').press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Edit profile' })).toBeFocused()
})
