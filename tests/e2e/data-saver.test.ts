import { expect, type Page } from '@playwright/test'
import { chromiumArgs, headlessChromiumPath } from '../../scripts/chromium.ts'
import { inspect } from './inspect.ts'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

// Rules: docs/product.md LOBBY-8.

// Chromium's own camera: its picture is larger than what the data saver sends.
test.use({ launchOptions: { executablePath: headlessChromiumPath(), args: chromiumArgs } })

type Watched = typeof globalThis & { connections: number; startedAt: number }

/** Counts the page's peer connections, and notes when the search was started. Runs in the page. */
function watchPage(): void {
  const watched = Object.assign(globalThis, { connections: 0, startedAt: 0 })
  const Original = globalThis.RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      watched.connections += 1
    }
  }
  addEventListener('click', () => (watched.startedAt = performance.now()), { capture: true })
}

const connections = (page: Page) => page.evaluate(() => (globalThis as Watched).connections)

/** The scripts of search and call: the time from the last click to the request for each, negative for a request before it. */
function scriptsOfCall(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() =>
    Object.fromEntries(
      performance.getEntriesByType('resource').flatMap(({ name, startTime }) => {
        const [, script] = /\/assets\/(matching-page|call-page|call-runner)-[^/]*\.js$/.exec(name) ?? []
        return script ? [[script, startTime - (globalThis as Watched).startedAt]] : []
      }),
    ),
  )
}

const saver = (page: Page) => page.getByRole('switch', { name: 'Data saver' })

/** Turns the data saver on, and reloads the page once the choice is stored. */
async function saveData({ page, context }: Person): Promise<void> {
  // Without it the scripts of the call load on the dashboard.
  await expect.poll(async () => Object.keys(await scriptsOfCall(page))).toHaveLength(3)
  await saver(page).click()
  await expect(saver(page)).toBeChecked()
  await context.addInitScript(watchPage)
  await page.goto('/')
  await expect(saver(page)).toBeChecked()
}

test('with the data saver nothing is loaded or opened ahead of need, and two people meet as before', async ({
  arrive,
}) => {
  const people = [await arrive('Ada'), await arrive('Béla')]
  for (const person of people) await saveData(person)
  for (const { page } of people) {
    await expect(page.locator('img[src^="/faces/"]')).toHaveCount(0)
    expect(await connections(page)).toBe(0)
  }
  for (const person of people) await startChat(person)
  for (const { page } of people) await expectLivePicture(page.getByLabel('Peer video'))

  for (const { page } of people) {
    expect(await connections(page)).toBe(1)
    const scripts = await scriptsOfCall(page)
    expect(Object.keys(scripts)).toHaveLength(3)
    for (const [script, afterClick] of Object.entries(scripts))
      expect([script, afterClick >= 0]).toEqual([script, true])
    expect(await page.getByLabel('My video').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(640)
  }

  const [ada, bela] = people
  if (!ada || !bela) throw new Error('expected two users')
  await ada.page.getByRole('button', { name: 'Camera and sound' }).click()
  await expect(ada.page.getByRole('combobox', { name: 'Picture and data' })).toHaveValue('saver')
  await expect(ada.page.getByText(/^This call: \d+\.\d MB, about \d+ MB an hour$/)).toBeVisible()

  await ada.page.getByRole('combobox', { name: 'Picture and data' }).selectOption('sound')
  await ada.page.getByRole('button', { name: 'Done' }).click()
  await expect(ada.page.getByText('You chose sound only.', { exact: true })).toBeVisible()
  await expect(bela.page.getByText('Ada chose sound only.')).toBeVisible()
  await inspect(bela.page, 'sound-only')
  await ada.page.getByRole('button', { name: 'Camera and sound' }).click()
  await ada.page.getByRole('combobox', { name: 'Picture and data' }).selectOption('best')
  await expect(bela.page.getByText('Ada chose sound only.')).toBeHidden()
  await expectLivePicture(bela.page.getByLabel('Peer video'))
})
