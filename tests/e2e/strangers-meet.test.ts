import { expect } from '@playwright/test'
import { chatOf, expectLivePicture, type Person, say, startChat, test } from './people.ts'

type Watched = typeof globalThis & { hadToWait?: boolean }

/** Notes that the button of the warning cannot be pressed, also where the wait is over before the test looks. Runs in the page. */
function watchWait(): void {
  const look = () => {
    const disabled = [...document.querySelectorAll('button:disabled')]
    if (disabled.some(({ textContent }) => textContent?.startsWith('Understood')))
      Object.assign(globalThis, { hadToWait: true })
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
}

/** Expects that `leaver` is on the dashboard, and that the peer was told and searches again. */
async function expectLeft(leaver: Person, peer: Person): Promise<void> {
  await expect(leaver.page).toHaveURL(/\/dashboard$/)
  await expect(leaver.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  await expect(peer.page.getByText(`${leaver.nickName} has left the chat.`)).toBeVisible()
  await expect(peer.page).toHaveURL(/\/buzzing$/)
}

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

test('two users part in each way: out of the report dialog, by Exit, and by a report', async ({ arrive }) => {
  const dora = await arrive('Dora')
  const emil = await arrive('Emil')
  await startChat(emil)

  await test.step('the report dialog lets a user leave before the wait of Next is over, without a report', async () => {
    await startChat(dora)
    await expect(dora.page.getByRole('button', { name: 'Report User' })).toBeVisible()
    await dora.page.getByRole('button', { name: 'Report User' }).click()
    await dora.page.getByRole('button', { name: 'Leave now' }).click()
    await expectLeft(dora, emil)
  })

  await test.step('Exit leads to the dashboard and puts the peer back into the queue', async () => {
    await startChat(dora)
    await expectLivePicture(dora.page.getByLabel('Peer video'))
    await expectLivePicture(emil.page.getByLabel('Peer video'))
    await dora.page.getByRole('button', { name: 'Exit' }).click()
    await expectLeft(dora, emil)
    await emil.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(emil.page).toHaveURL(/\/dashboard$/)
  })

  await test.step('a reported user sees the warning and must wait before the next match', async () => {
    await startChat(dora)
    await startChat(emil)
    await expectLivePicture(dora.page.getByLabel('Peer video'))
    await expectLivePicture(emil.page.getByLabel('Peer video'))
    await emil.page.evaluate(watchWait)

    await dora.page.getByRole('button', { name: 'Report User' }).click()
    await expect(dora.page.getByText('Are you sure you want to report:')).toBeVisible()
    await expect(dora.page.getByRole('dialog').getByText('Emil')).toBeVisible()
    await dora.page.getByRole('radio', { name: /Block & Report/ }).check()
    await dora.page.getByRole('button', { name: 'Ok' }).click()
    await expect(dora.page).toHaveURL(/\/buzzing$/)
    await expect(dora.page.getByLabel('Peer video')).toBeHidden()
    await expect(dora.page.getByText('Thank you. Your report was sent to the moderators.')).toBeVisible()

    await expect(emil.page.getByText('Warning: You Have Been Reported')).toBeVisible()
    await expect(emil.page.getByRole('button', { name: 'Understood', exact: true })).toBeEnabled()
    expect(await emil.page.evaluate(() => (globalThis as Watched).hadToWait)).toBe(true)
    await expect(emil.page.getByRole('button', { name: 'View Guidelines' })).toBeVisible()
    await emil.page.getByRole('button', { name: 'Understood', exact: true }).click()
    await expect(emil.page).toHaveURL(/\/buzzing$/)
    await expect(dora.page).toHaveURL(/\/buzzing$/)
  })
})

test('a visit alone: reload, screens out of order, and the logout', async ({ arrive }) => {
  const { page } = await arrive('Gerda')
  await test.step('a reload goes through the splash screen, and screens out of order are closed', async () => {
    await page.reload()
    await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
    for (const path of ['/chat', '/no-such-page']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/dashboard$/)
    }
  })
  await test.step('logging out leads to the sign-in page and stays there', async () => {
    await page.getByRole('button', { name: /Gerda/ }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('button', { name: 'Sign in with Facebook' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Sign in with Facebook' })).toBeVisible()
  })
})
