import { expect } from '@playwright/test'
import { chatOf, expectBlack, expectLivePicture, readPicture, say, startChat, test } from './people.ts'

// A third user may come later than the two who have met search again.
test.use({ metAfterMs: 10_000, isTranslated: true })

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
    await expect(ada.page.getByRole('button', { name: 'Next match', exact: true })).toBeEnabled()
    await ada.page.getByRole('button', { name: 'Next match', exact: true }).click()

    await expect(bela.page.getByText('Ada has left the chat.')).toBeVisible()
    // Ada and Béla have met, so the new user is matched with one of them and the other waits.
    await expect(cleo.page).toHaveURL(/\/chat$/)
    await expectLivePicture(cleo.page.getByLabel('Peer video'))
    await expect(chatOf(cleo).getByText('test')).toHaveCount(0)
  })
})

test('Exit leads to the dashboard and puts the peer back into the queue', async ({ arrive }) => {
  const dora = await arrive('Dora')
  const emil = await arrive('Emil')
  await startChat(dora)
  await startChat(emil)
  await expectLivePicture(dora.page.getByLabel('Peer video'))
  await expectLivePicture(emil.page.getByLabel('Peer video'))
  const light = await dora.page
    .getByLabel('My video')
    .evaluateHandle((video: HTMLVideoElement) => (video.srcObject as MediaStream).getVideoTracks()[0])
  await dora.page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expectBlack(() => emil.page.getByLabel('Peer video').evaluate(readPicture))
  expect(await light.evaluate((track) => track?.readyState)).toBe('ended')
  await dora.page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expectLivePicture(emil.page.getByLabel('Peer video'))

  await dora.page.getByRole('button', { name: 'Exit' }).click()
  await expect(dora.page).toHaveURL(/\/dashboard$/)
  await expect(dora.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  await expect(emil.page.getByText('Dora has left the chat.')).toBeVisible()
  await expect(emil.page).toHaveURL(/\/buzzing$/)
  // Who has left before the report dialog was opened can still be reported.
  await emil.page.getByRole('button', { name: 'Report Dora' }).click()
  await emil.page.getByRole('button', { name: 'Ok' }).click()
  await expect(emil.page.getByText('Your report was sent to the moderators.')).toBeVisible()
  await emil.page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(emil.page).toHaveURL(/\/dashboard$/)
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

test('logging out leads to the sign-in page and stays there', async ({ arrive }) => {
  const { page } = await arrive('Gerda', 'pages')
  await page.getByRole('button', { name: /Gerda/ }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Sign in with Facebook' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in with Facebook' })).toBeVisible()
})

test('a reported user sees the warning and must wait before the next match', async ({ arrive }) => {
  const hugo = await arrive('Hugo')
  const ida = await arrive('Ida')
  await startChat(hugo)
  await startChat(ida)
  await expectLivePicture(hugo.page.getByLabel('Peer video'))
  await expectLivePicture(ida.page.getByLabel('Peer video'))

  await hugo.page.getByRole('button', { name: 'Report User' }).click()
  await expect(hugo.page.getByText('Are you sure you want to report:')).toBeVisible()
  await expect(hugo.page.getByRole('dialog').getByText('Ida')).toBeVisible()
  await hugo.page.getByRole('radio', { name: /Block & Report/ }).check()
  await hugo.page.getByRole('button', { name: 'Ok' }).click()
  await expect(hugo.page).toHaveURL(/\/buzzing$/)
  await expect(hugo.page.getByLabel('Peer video')).toBeHidden()
  await expect(hugo.page.getByText('Thank you. Your report was sent to the moderators.')).toBeVisible()

  await expect(ida.page.getByText('Warning: You Have Been Reported')).toBeVisible()
  await expect(ida.page.getByRole('button', { name: /Understood/ })).toBeDisabled()
  await expect(ida.page.getByRole('button', { name: 'Understood', exact: true })).toBeEnabled()
  await expect(ida.page.getByRole('button', { name: 'View Guidelines' })).toBeVisible()
  await ida.page.getByRole('button', { name: 'Understood', exact: true }).click()
  await expect(ida.page).toHaveURL(/\/buzzing$/)
  await expect(hugo.page).toHaveURL(/\/buzzing$/)
})

test('the report dialog lets a user leave before the wait of Next is over, without a report', async ({ arrive }) => {
  const mia = await arrive('Mia')
  const nils = await arrive('Nils')
  await startChat(mia)
  await startChat(nils)
  await expect(mia.page.getByRole('button', { name: 'Report User' })).toBeVisible()
  await mia.page.getByRole('button', { name: 'Report User' }).click()
  await mia.page.getByRole('button', { name: 'Leave now' }).click()
  await expect(mia.page).toHaveURL(/\/dashboard$/)
  await expect(nils.page.getByText('Mia has left the chat.')).toBeVisible()
  await expect(nils.page).toHaveURL(/\/buzzing$/)
})
