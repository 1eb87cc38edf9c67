import { expect } from '@playwright/test'
import { chatOf, expectBlack, expectLivePicture, readPicture, say, startChat, test } from './people.ts'

test.use({ isTranslated: true })

test.describe('with the service worker and motion', () => {
  test.use({ withServiceWorker: true, contextOptions: { reducedMotion: 'no-preference' } })

  test('two users meet, chat, and are matched with a third', async ({ arrive }) => {
    const ada = await arrive('Ada')
    const bela = await arrive('Béla')
    await startChat(ada)
    await expect(ada.page.getByText('Finding a partner...')).toBeVisible()
    await startChat(bela)

    for (const { page } of [ada, bela]) {
      await expect(page).toHaveURL(/\/chat$/)
      await expectLivePicture(page.getByLabel('Peer video'))
      await expectLivePicture(page.getByLabel('My video'))
    }

    await say(ada, 'Grüße aus Köln 👋🏽')
    await expect(chatOf(bela).getByText('Grüße aus Köln 👋🏽', { exact: true })).toBeVisible()
    await say(bela, 'Szia! 🐝')
    await expect(chatOf(ada).getByText('Szia! 🐝', { exact: true })).toBeVisible()
    await say(bela, '   ')
    await say(bela, 'test')
    await expect(chatOf(ada).getByText('test', { exact: true })).toBeVisible()

    const cleo = await arrive('Cleo')
    await startChat(cleo)
    // The hub sends this text's number only to a user who is in the queue.
    await expect(cleo.page.getByText('You are the only one here right now.')).toBeVisible()
    await expect(ada.page.getByRole('button', { name: 'Next match', exact: true })).toBeEnabled()
    await ada.page.getByRole('button', { name: 'Next match', exact: true }).click()

    await expect(bela.page.getByText('Ada has left the chat.')).toBeVisible()
    // Ada and Béla have met, so the new user is matched with one of them and the other waits.
    await expect(cleo.page).toHaveURL(/\/chat$/)
    await expectLivePicture(cleo.page.getByLabel('Peer video'))
    await expect(chatOf(cleo).getByText('test')).toHaveCount(0)
  })
})

test('who leaves by the report dialog or by Exit is on the dashboard, and the peer searches again and can report', async ({
  arrive,
}) => {
  const dora = await arrive('Dora')
  const emil = await arrive('Emil')
  async function expectLeft(): Promise<void> {
    await expect(dora.page).toHaveURL(/\/dashboard$/)
    await expect(emil.page.getByText('Dora has left the chat.')).toBeVisible()
    await expect(emil.page).toHaveURL(/\/buzzing$/)
  }
  await startChat(dora)
  await startChat(emil)

  await test.step('before the wait of Next is over, without a report', async () => {
    await dora.page.getByRole('button', { name: 'Report User' }).click()
    await dora.page.getByRole('button', { name: 'Leave now' }).click()
    await expectLeft()
  })

  await startChat(dora)
  await test.step('the camera is off in between, and so is its light', async () => {
    for (const { page } of [dora, emil]) await expectLivePicture(page.getByLabel('Peer video'))
    const light = await dora.page
      .getByLabel('My video')
      .evaluateHandle((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0])
    await dora.page.getByRole('button', { name: 'Camera', exact: true }).click()
    await expectBlack(() => emil.page.getByLabel('Peer video').evaluate(readPicture))
    expect(await light.evaluate((track) => track?.readyState)).toBe('ended')
    await dora.page.getByRole('button', { name: 'Camera', exact: true }).click()
    await expectLivePicture(emil.page.getByLabel('Peer video'))
  })

  await test.step('Exit, and a report of who has left', async () => {
    await dora.page.getByRole('button', { name: 'Exit' }).click()
    await expectLeft()
    await expect(dora.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
    await emil.page.getByRole('button', { name: 'Report Dora' }).click()
    await emil.page.getByRole('button', { name: 'Ok' }).click()
    await expect(emil.page.getByText('Your report was sent to the moderators.')).toBeVisible()
    await emil.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(emil.page).toHaveURL(/\/dashboard$/)
  })
})

test('a reload goes through the splash screen, and screens out of order are closed', async ({ arrive }) => {
  const { page } = await arrive('Fritz')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/chat')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/no-such-page')
  await expect(page).toHaveURL(/\/dashboard$/)
})
