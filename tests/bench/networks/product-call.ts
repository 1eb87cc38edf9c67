import type { Browser, Page } from 'playwright'
import { keepConnections } from '../../support/browser/keep-connections.ts'
import { signIn } from '../../support/servers/server.ts'

let people = 0

/** `downlink` is what the browser says of its network in Mbit/s; `choice` is what both users choose of picture and data. */
type Users = { downlink: number; choice: 'saver' | 'sound' | undefined }

/** Two users of the built product at `origin` who are matched and connected through the relay alone. */
export async function startProductCall(browser: Browser, origin: string, users: Users): Promise<Page[]> {
  const pages: Page[] = []
  for (const name of ['Ada', 'Bela']) pages.push(await enter(browser, origin, name, users))
  for (const page of pages) await page.getByRole('button', { name: 'Start video chat' }).click()
  for (const page of pages) await page.getByLabel('Peer video').waitFor({ timeout: 60_000 })
  return pages
}

async function enter(browser: Browser, origin: string, firstName: string, { downlink, choice }: Users): Promise<Page> {
  people += 1
  const context = await browser.newContext({
    baseURL: origin,
    permissions: ['camera', 'microphone'],
    reducedMotion: 'reduce',
    viewport: { width: 800, height: 600 },
  })
  const { cookies } = await signIn({ origin }, { email: `person${people}@example.org`, firstName })
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: origin })))
  await context.addInitScript(keepConnections)
  await context.addInitScript((mbit) => {
    const { connection } = navigator as Navigator & { connection?: object }
    if (connection) Object.defineProperty(connection, 'downlink', { get: () => mbit })
  }, downlink)
  const page = await context.newPage()
  await page.goto('/')
  const hide = page.getByRole('switch', { name: 'Hide my network address' })
  await hide.click()
  await hide.and(page.getByRole('switch', { checked: true })).waitFor()
  if (choice) {
    await page.getByRole('button', { name: 'Camera and sound' }).click()
    await page.getByLabel('Picture and data').selectOption(choice)
    await page.getByRole('button', { name: 'Done' }).click()
  }
  return page
}
