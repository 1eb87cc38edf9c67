import { expect, type Page } from '@playwright/test'
import { expectLivePicture, type Person, say, startChat, test } from './people.ts'

/** Keeps the camera's stream, and makes a fault of every element with this text. React would recover from a single one. */
function breakAt(text: string): void {
  const videos = [...document.querySelectorAll('video')]
  const own = videos.find(({ muted, srcObject }) => muted && srcObject)?.srcObject
  const { appendChild, insertBefore } = Node.prototype
  Node.prototype.appendChild = function (node) {
    if (node.textContent?.includes(text)) throw new Error('planted')
    return appendChild.call(this, node) as typeof node
  }
  Node.prototype.insertBefore = function (node, before) {
    if (node.textContent?.includes(text)) throw new Error('planted')
    return insertBefore.call(this, node, before) as typeof node
  }
  Object.assign(globalThis, { own })
}

const tracks = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { own: MediaStream }).own.getTracks().map(({ readyState }) => readyState),
  )

/** Expects that the page tells the fault, and that camera and microphone are off. */
async function expectStopped({ page }: Person): Promise<void> {
  await expect(page.getByRole('button', { name: 'Try again !' })).toBeVisible()
  expect(await tracks(page)).toEqual(['ended', 'ended'])
}

test('a screen that breaks ends the call and turns camera and microphone off', async ({ arrive }) => {
  const [ada, bela] = [await arrive('Ada'), await arrive('Béla')]
  for (const person of [ada, bela]) await startChat(person)
  for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
  await ada.page.evaluate(breakAt, 'hello')
  await say(bela, 'hello')
  await expectStopped(ada)
  await expect(bela.page.getByText('Ada has left the chat.')).toBeVisible()
  await expect(bela.page).toHaveURL(/\/buzzing$/)
})

test('so does a search whose screen breaks', async ({ arrive }) => {
  const ada = await arrive('Ada')
  await expectLivePicture(ada.page.locator('video').first())
  await ada.page.evaluate(breakAt, 'Finding a partner')
  await startChat(ada)
  await expectStopped(ada)
})
