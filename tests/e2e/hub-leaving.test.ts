import { expect, type Page, type WebSocket } from '@playwright/test'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import { expectLivePicture, startChat, test } from './people.ts'

test('the hub connection lasts from matching to the call and ends when their pages are left', async ({ arrive }) => {
  const gerda = await arrive('Gerda')
  const hugo = await arrive('Hugo')
  const sockets: WebSocket[] = []
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
  await expectLivePicture(gerda.page.getByLabel('Peer video'))
  await expect(gerda.page).toHaveURL(/\/chat$/)
  expect(sockets.map((socket) => socket.isClosed())).toEqual([true, false])

  // The browser's Back button instead of a button of the page.
  await gerda.page.goBack()
  await expect(gerda.page).not.toHaveURL(/\/(chat|buzzing)$/)
  await expect.poll(() => sockets.map((socket) => socket.isClosed())).not.toContain(false)
  await expect(hugo.page.getByText('Gerda has left the chat.')).toBeVisible()
})

for (const [what, go] of [
  ['loads another page', (page: Page) => page.goto('/about')],
  ['closes the tab', (page: Page) => page.close({ runBeforeUnload: true })],
] as const)
  test(`a user who ${what} during a call leaves at once`, async ({ arrive }) => {
    const iris = await arrive('Iris')
    const jon = await arrive('Jon')
    await startChat(iris)
    await startChat(jon)
    for (const { page } of [iris, jon]) await expectLivePicture(page.getByLabel('Peer video'))
    await go(iris.page)
    // Before the server would end the match because Iris did not come back.
    await expect(jon.page.getByText('Iris has left the chat.')).toBeVisible({ timeout: HUB_RESUME_MS - 5_000 })
    await expect(jon.page).toHaveURL(/\/buzzing$/)
  })
