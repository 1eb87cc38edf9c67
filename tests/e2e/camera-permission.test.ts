import { expect, type Page } from '@playwright/test'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { test } from './people.ts'

test.use({
  launchOptions: {
    executablePath: chromiumPath(),
    // Chromium's fake permission UI grants everything, also denied permissions.
    args: chromiumArgs.filter((arg) => !arg.startsWith('--use-fake-ui-for-media-stream')),
  },
})

/** Returns a function that sets both permissions like the site settings. They last as long as its CDP session. */
async function permissionsOf(page: Page): Promise<(setting: 'granted' | 'denied') => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const { browserContextId = '' } = targetInfo
  const { origin } = new URL(page.url())
  return async (setting) => {
    for (const name of ['camera', 'microphone']) {
      await session.send('Browser.setPermission', { permission: { name }, setting, origin, browserContextId })
    }
  }
}

test('the dashboard reports a camera that is blocked, and shows it again when it is allowed', async ({ arrive }) => {
  const { page } = await arrive('Ada')
  const set = await permissionsOf(page)
  const video = page.getByLabel('My video')
  const live = () =>
    video.evaluate((element: HTMLVideoElement) =>
      element.srcObject instanceof MediaStream
        ? element.srcObject.getTracks().map(({ kind, readyState }) => `${kind} ${readyState}`)
        : [],
    )
  const bothLive = ['audio live', 'video live']
  // The lobby is shown before the camera is open.
  await expect.poll(async () => (await live()).toSorted()).toEqual(bothLive)

  await set('denied')
  const note = page.getByText('Camera blocked. Allow it in the site settings.')
  await expect(note).toBeVisible()

  await set('granted')
  await expect(note).toBeHidden()
  await expect.poll(async () => (await live()).toSorted()).toEqual(bothLive)
})

test('with a denied camera the page explains how to allow it, and continues by itself once it is allowed', async ({
  arrive,
}) => {
  const { page } = await arrive('Bela')
  const set = await permissionsOf(page)
  await set('denied')
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(
    'Unable to access camera and microphone. Please reset permissions and try again.',
  )
  const start = page.getByRole('button', { name: 'Start video chat' })
  await expect(start).toBeHidden()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeVisible()

  await set('granted')
  await expect(start).toBeVisible()
})
