import { expect, type WebSocket } from '@playwright/test'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import { expectLivePicture, startChat, test } from './people.ts'

// Rules: docs/product.md ROUTE-4.

test('the hub connection lasts from matching to the call and ends when their pages are left', async ({ arrive }) => {
  const gerda = await arrive('Gerda')
  const hugo = await arrive('Hugo')
  const sockets: WebSocket[] = []
  async function expectCall(): Promise<void> {
    await expect(hugo.page.getByText('Gerda has left the chat.')).toBeHidden()
    for (const { page } of [gerda, hugo]) await expectLivePicture(page.getByLabel('Peer video'))
  }
  async function expectLeft(): Promise<void> {
    // Before the server would end the match because Gerda did not come back.
    await expect(hugo.page.getByText('Gerda has left the chat.')).toBeVisible({ timeout: HUB_RESUME_MS - 5_000 })
    await expect(hugo.page).toHaveURL(/\/buzzing$/)
  }
  gerda.page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname === '/chathub') sockets.push(socket)
  })

  await startChat(gerda)
  await expect.poll(() => sockets.length).toBe(1)
  await gerda.page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(gerda.page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => sockets[0]?.isClosed()).toBe(true)

  await startChat(gerda)
  await startChat(hugo)
  await expectCall()
  await expect(gerda.page).toHaveURL(/\/chat$/)
  expect(sockets.map((socket) => socket.isClosed())).toEqual([true, false])

  await test.step("the browser's Back button instead of a button of the page", async () => {
    await gerda.page.goBack()
    await expect(gerda.page).not.toHaveURL(/\/(chat|buzzing)$/)
    await expect.poll(() => sockets.map((socket) => socket.isClosed())).not.toContain(false)
    await expectLeft()
  })

  await test.step('a user who loads another page during a call leaves at once', async () => {
    await startChat(gerda)
    await expectCall()
    await gerda.page.goto('/about')
    await expectLeft()
  })

  await test.step('a user who closes the tab during a call leaves at once', async () => {
    await gerda.page.goto('/')
    await startChat(gerda)
    await expectCall()
    await gerda.page.close({ runBeforeUnload: true })
    await expectLeft()
  })
})
