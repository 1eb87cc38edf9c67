import { expect } from '@playwright/test'
import { test as base, startNetwork } from './hub-network.ts'
import { inspect } from './inspect.ts'
import { chatOf, say, startChat } from './people.ts'

// Rules: docs/product.md MATCH-5, MATCH-6, CHAT-5.

/** With a server of its own: matches of other tests count for 45 s after their pages were closed. */
const test = base.extend({
  network: async ({ serverSettings }, use) => {
    const network = await startNetwork(serverSettings)
    await use(network)
    await network.stop()
  },
})

/** In this page: notifications that are allowed and recorded, and a tab that is not looked at. */
function lookElsewhere(): void {
  const open = new Set<string>()
  class Recorded extends EventTarget {
    static readonly permission = 'granted'
    readonly #title: string
    constructor(title: string) {
      super()
      this.#title = title
      open.add(title)
    }
    close(): void {
      open.delete(this.#title)
    }
  }
  let visibility = 'hidden'
  Object.defineProperty(window, 'Notification', { value: Recorded })
  Object.defineProperty(document, 'visibilityState', { get: () => visibility })
  Object.assign(window, {
    notifications: () => [...open],
    comeBack() {
      visibility = 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
    },
  })
}

test('two who talk see each other type; a third sees how many, and is called back', async ({ arrive }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  await startChat(ada)
  await expect(ada.page.getByText('You are the only one here right now.')).toBeVisible()
  await inspect(ada.page, 'searching-alone')
  await startChat(bela)
  for (const { page } of [ada, bela]) await expect(page).toHaveURL(/\/chat$/)

  const writing = bela.page.getByText('Ada is writing...')
  await ada.page.getByLabel('Message').pressSequentially('Hello')
  await expect(writing).toBeVisible()
  await inspect(bela.page, 'peer-typing')
  await say(ada, 'Hello Béla')
  await expect(chatOf(bela).getByText('Hello Béla', { exact: true })).toBeVisible()
  await expect(writing).toHaveCount(0)

  const cleo = await arrive('Cleo')
  await expect(cleo.page.getByText('2 talking', { exact: true })).toBeVisible()
  await cleo.page.evaluate(lookElsewhere)
  await startChat(cleo)
  await expect(cleo.page.getByText('You are the only one here right now.')).toBeVisible()

  await test.step('a user who looks elsewhere is called back by notification and title until they return', async () => {
    const { page } = cleo
    const notifications = () => page.evaluate('notifications()')
    const callMeBack = page.getByRole('button', { name: 'Call me back' })
    await callMeBack.click()
    await expect(callMeBack).toHaveAttribute('aria-pressed', 'true')
    await inspect(page, 'call-back')
    await ada.page.getByRole('button', { name: 'Next match', exact: true }).click()
    await expect(page).toHaveURL(/\/chat$/)
    await expect(page).toHaveTitle(/^Match found!/)
    expect(await notifications()).toEqual(['Match found!'])
    await page.evaluate('comeBack()')
    await expect(page).toHaveTitle(/^Video chat/)
    expect(await notifications()).toEqual([])
  })
})
