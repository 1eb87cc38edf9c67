import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { startServer, type TestServer } from '../support/servers/server.ts'

/**
 * One browser for all tests of this file, which has the service worker and the landing page: to install it takes longer than most of
 * them. A copy of the build, which a test can replace by a newer one.
 */
let server: TestServer
let dist: string
let context: BrowserContext
let page: Page

const url = (path = '') => `http://localhost:${server.port}${path}`

test.beforeAll(async ({ browser }) => {
  dist = mkdtempSync(join(tmpdir(), 'waggle-dist-'))
  cpSync('dist', dist, { recursive: true })
  server = await startServer({}, { dist })
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(url())
  await controlled(page)
  await stored(page, '<html')
  await page.close()
})
test.beforeEach(async () => {
  page = await context.newPage()
})
test.afterEach(() => page.close())
test.afterAll(async () => {
  await context.close()
  await server.stop()
  rmSync(dist, { recursive: true })
})

/** Resolves when the service worker is active and controls this page. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

/** Resolves when the stored landing page contains this text. */
async function stored(page: Page, text: string): Promise<void> {
  const read = () => page.evaluate(async () => (await caches.match('/', { ignoreVary: true }))?.text())
  await expect.poll(read).toContain(text)
}

/** Changes the pages of the build, and starts the server again with them. */
async function changePages(change: (html: string) => string): Promise<void> {
  for (const name of ['index.html', 'shell.html']) {
    const path = join(dist, '.pages', 'en', name)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  await server.restart()
}

test('without a network the product starts with its faces and shows that it is offline, and continues when the network is back', async () => {
  await context.setOffline(true)
  await page.goto(url())
  await expect(page.getByRole('heading', { name: 'Waggle' }).first()).toBeVisible()
  await expect(page.getByText('You are offline.')).toBeVisible()
  const responses = await page.evaluate(async () => {
    const status = (path: string) =>
      fetch(path).then(
        ({ status }) => status,
        () => 'no response',
      )
    return [
      await status('/faces/64/man-1.webp'),
      await status('/api/users/online/get'),
      await status('/api/server/time/get'),
    ]
  })
  expect(responses).toEqual([200, 'no response', 'no response'])
  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).not.toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
})

test('a stored page starts although its network worker says nothing', async () => {
  await page.addInitScript(() => {
    class Silent extends EventTarget {
      postMessage() {}
      terminate() {}
    }
    globalThis.Worker = new Proxy(Worker, {
      construct: (Real, [address, options]) =>
        options.name === 'network-early' ? new Silent() : new Real(address, options),
    })
  })
  await page.goto(url())
  // The region for messages is rendered with the splash screen, which takes over.
  await expect(page.locator('#root [role="status"]').first()).toBeAttached()
})

test('a visit to the stored page sends the request of the start once, from the service worker', async () => {
  const senders: string[] = []
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/start/get') || request.isNavigationRequest()) return
    senders.push(request.serviceWorker() ? 'service worker' : 'page')
  })
  await page.goto(url())
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  expect(senders).toEqual(['service worker', 'page'])
})

test('a stored page in another language than the chosen one is shown in the chosen one', async () => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await context.addCookies([{ name: 'language', value: 'es', url: url() }])
  await page.goto(url())
  await expect(page.getByRole('button', { name: 'Google' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await stored(page, 'lang="es"')
  expect(faults).toEqual([])
  // The other tests are about the English page.
  await context.addCookies([{ name: 'language', value: 'en', url: url() }])
  await page.goto(url())
  await stored(page, 'lang="en"')
})

test('the next visit opens the landing page of the last one, which is refreshed when the user can act', async () => {
  const mark = () => page.evaluate(() => document.documentElement.dataset.mark)
  await changePages((html) => html.replace('<html', '<html data-mark="2"'))
  await page.goto(url())
  expect(await mark()).toBeUndefined()
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  await stored(page, 'data-mark="2"')
  await page.goto(url())
  expect(await mark()).toBe('2')
  // An address that says more, or another page, is asked of the server.
  await changePages((html) => html.replace('data-mark="2"', 'data-mark="3"'))
  await page.goto(url('/?from=mail'))
  expect(await mark()).toBe('3')
})

test('a page with an older configuration is replaced once', async () => {
  await page.goto(url('/about'))
  await stored(page, '"contactEmail"')
  const block = /"page-config">(.*?)<\/script>/.exec(await (await fetch(url())).text())?.[1] ?? ''
  const config = JSON.stringify({ ...JSON.parse(block), contactEmail: 'new@example.org' })
  await changePages((html) => html.replace('"page-config">null<', () => `"page-config">${config}<`))
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(url())
  await expect(page.getByRole('link', { name: 'new@example.org' })).toBeVisible()
  expect(loads).toBe(2)
})

test('a new version waits for the end of a call, and then replaces the page', async () => {
  await page.goto(url())
  await controlled(page)
  await expect(page).toHaveURL(/\/login$/)
  // The lock that every tab with a call holds.
  const call = await context.newPage()
  await call.goto(url('/about'))
  await call.evaluate(() => {
    void navigator.locks.request(
      'call',
      { mode: 'shared' },
      () =>
        new Promise<void>((resolve) => {
          addEventListener('call-ends', () => resolve())
        }),
    )
  })
  await page.reload()
  await page.evaluate(() => Object.assign(globalThis, { old: true }))
  for (const ending of ['br', 'gz']) rmSync(join(dist, `service-worker.js.${ending}`))
  appendFileSync(join(dist, 'service-worker.js'), '\n// A newer version.\n')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state)
  await expect.poll(waiting).toBe('installed')
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await look()
  expect(await waiting()).toBe('installed')
  expect(await page.evaluate(() => 'old' in globalThis)).toBe(true)
  await call.evaluate(() => dispatchEvent(new Event('call-ends')))
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0)
  const loaded = page.waitForEvent('load')
  await look()
  await loaded
  expect(await page.evaluate(() => 'old' in globalThis)).toBe(false)
  expect(await waiting()).toBeUndefined()
  await call.close()
})
