import { type BrowserContext, expect, type Page } from '@playwright/test'
import { API_ATTEMPTS } from '#protocol/constants.ts'
import { startChat, test } from './people.ts'

/** Collects the paths of the requests to the API. */
function apiRequests(context: BrowserContext): string[] {
  const paths: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname.slice('/api/'.length))
  })
  return paths
}

/** Holds the responses to every request of the API but these. Returns a function that lets them go on. */
async function holdAllBut(page: Page, ...open: string[]): Promise<() => Promise<void>> {
  const held: (() => Promise<void>)[] = []
  let isOpen = false
  await page.context().route('**/api/**', async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/api/'.length)
    if (!isOpen && !open.includes(path)) await new Promise<void>((resolve) => held.push(async () => resolve()))
    await route.continue()
  })
  return async () => {
    isOpen = true
    for (const go of held.splice(0)) await go()
  }
}

const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })

async function signInWith(page: Page, email: string): Promise<void> {
  const opening = page.waitForEvent('popup')
  await google(page).click()
  const popup = await opening
  await popup.getByLabel('E-mail').fill(email)
  await popup.getByLabel('First name').fill('Lena')
  await popup.getByLabel('Last name').fill('Tester')
  await popup.getByRole('button', { name: 'Continue' }).click()
}

test('a first visit can sign in after one request, while the IP lookup never responds', async ({ page, context }) => {
  const paths = apiRequests(context)
  await context.route('**/api/ip/get', () => {})
  await page.goto('/')
  await expect(google(page)).toBeVisible()
  const [first, ...later] = paths
  expect(first).toBe('start/get')
  // Nothing was needed for the buttons but the first; the lookup belongs to the entry, which is sent in the background.
  expect(later.filter((path) => path !== 'ip/get')).toEqual([])
  await signInWith(page, 'lookup@example.org')
  await expect(page.getByLabel('Nickname')).toBeVisible()
  expect(paths.indexOf('user/session/create')).toBeGreaterThan(0)
  expect(paths.indexOf('user/session/create')).toBeLessThan(paths.indexOf('cookie/access-refresh-token/set'))
})

test('the first request is sent while the app is still loading, and once', async ({ page, context }) => {
  const paths = apiRequests(context)
  const app = Promise.withResolvers<void>()
  await context.route('**/assets/index-*.js', async (route) => {
    await app.promise
    await route.continue()
  })
  const answered = context.waitForEvent('response', (response) => response.url().endsWith('/api/start/get'))
  await page.goto('/', { waitUntil: 'commit' })
  expect((await answered).status()).toBe(200)
  app.resolve()
  await expect(google(page)).toBeVisible()
  expect(paths.filter((path) => path === 'start/get')).toHaveLength(1)
})

test('a network worker that cannot run at first is started again by the app', async ({ page, context }) => {
  const starts: string[] = []
  await context.route('**/assets/network.worker-*.js', async (route) => {
    starts.push(route.request().url())
    if (starts.length === 1) await route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' })
    else await route.continue()
  })
  const app = Promise.withResolvers<void>()
  await context.route('**/assets/index-*.js', async (route) => {
    await app.promise
    await route.continue()
  })
  const broken = page.waitForEvent('worker')
  await page.goto('/', { waitUntil: 'commit' })
  await broken
  await page.waitForFunction(() => (globalThis as { earlyWorker?: { isDead: boolean } }).earlyWorker?.isDead)
  app.resolve()
  await expect(google(page)).toBeVisible()
  expect(starts).toHaveLength(2)
})

test('a network worker whose main script cannot be loaded at first tries again', async ({ browser, server }) => {
  // A service worker would fetch the file too.
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  let requests = 0
  await context.route('**/assets/network-*.js', async (route) => {
    requests += 1
    if (requests === 1) await route.abort()
    else await route.continue()
  })
  await page.goto('/')
  await expect(google(page)).toBeVisible()
  expect(requests).toBe(2)
  await context.close()
})

test('the sign-in works although the rest of the worker could not be loaded at first', async ({ browser, server }) => {
  // A service worker would fetch the file too.
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  let isAway = true
  const refused: string[] = []
  await context.route('**/assets/later-parts-*.js', async (route) => {
    if (!isAway) return route.continue()
    refused.push(route.request().url())
    return route.abort()
  })
  await page.goto('/')
  await expect(google(page)).toBeVisible()
  // Loaded as often as a request is sent; the next request loads it again.
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(API_ATTEMPTS)
  isAway = false
  await signInWith(page, 'later@example.org')
  await expect(page.getByLabel('Nickname')).toBeVisible()
  await context.close()
})

test('the Android browser sends nothing before the person continues on the web', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, userAgent: 'Mozilla/5.0 (Linux; Android 15)' })
  const paths = apiRequests(context)
  const page = await context.newPage()
  await page.goto('/')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  expect(paths).toEqual([])
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(google(page)).toBeVisible()
  expect(paths[0]).toBe('start/get')
  await context.close()
})

test('a return visit can start a chat after one request, and sends the others later', async ({ arrive }) => {
  const person = await arrive('Rosa')
  const { page, context } = person
  // What the first visit sends in idle moments ends with its page; this one sends nothing.
  await page.goto('/about')
  const paths = apiRequests(context)
  const release = await holdAllBut(page, 'start/get')
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  expect(paths[0]).toBe('start/get')
  expect(paths.filter((path) => path === 'start/get')).toHaveLength(1)
  await release()
  await expect.poll(() => paths).toContain('user/ip/add')
  await startChat(person)
  await expect(page).toHaveURL(/\/buzzing$/)
})

test('the code of a call is requested only after the Start button is shown', async ({ arrive }) => {
  const { page, context } = await arrive('Sven')
  // What the first visit loads in idle moments ends with its page.
  await page.goto('/about')
  type Held = typeof globalThis & { openCamera?: () => void }
  await context.addInitScript(() => {
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    const opened = new Promise<void>((resolve) => Object.assign(globalThis, { openCamera: resolve }))
    devices.getUserMedia = async (wanted) => {
      await opened
      return open(wanted)
    }
  })
  const chunks: string[] = []
  context.on('request', (request) => {
    if (request.serviceWorker()) return
    const [, chunk] = /\/assets\/(call-runner|matching-page|call-page)-[^/]*\.js$/.exec(request.url()) ?? []
    if (chunk) chunks.push(chunk)
  })
  // Sent in the background, after the dashboard is there.
  const visited = context.waitForEvent('response', (response) => response.url().endsWith('/api/user/session/add'))
  await page.goto('/')
  await expect(page.getByRole('banner')).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(chunks).toEqual([])
  await page.evaluate(() => (globalThis as Held).openCamera?.())
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  await visited
  await expect.poll(() => new Set(chunks).size).toBe(3)
})

test('two tabs that open at once without cookies both come to the sign-in page, and both can sign in', async ({
  context,
}) => {
  const tabs = [await context.newPage(), await context.newPage()]
  await Promise.all(tabs.map((tab) => tab.goto('/')))
  for (const tab of tabs) await expect(google(tab)).toBeVisible()
  for (const [index, tab] of tabs.entries()) {
    const opening = tab.waitForEvent('popup')
    await google(tab).click()
    const popup = await opening
    await popup.getByLabel('E-mail').fill(`tab${index}@example.org`)
    await popup.getByLabel('First name').fill('Toni')
    await popup.getByLabel('Last name').fill('Tester')
    await popup.getByRole('button', { name: 'Continue' }).click()
    await expect(tab.getByLabel('Nickname')).toBeVisible()
  }
})
