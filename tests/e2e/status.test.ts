import { expect, type Page } from '@playwright/test'
import { sizedList } from '../../scripts/test-limits.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { inspect } from './inspect.ts'
import { test } from './people.ts'

// Rules: docs/product.md PAGE-8.

/** Spanish has the longer words. */
const inspected = sizedList(['es-MX'], ['en-GB', 'es-MX'])

const state = (page: Page) => page.getByRole('main').getByRole('status')
/** Shows the page again, which then asks at once. */
const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

test('the footer leads to a page that says, without a login, that everything works', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Service status' }).click()
  await expect(page).toHaveURL(/\/status$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Service status' })).toBeVisible()
  await expect(state(page)).toContainText('Everything works.')
  await expect(page).toHaveTitle('Service status · Waggle')
})

test('the page itself is not prerendered: without a script it has no old state', async ({ server }) => {
  const page = await fetch(`${server.url}/status`)
  expect(page.status).toBe(200)
  expect(await page.text()).not.toContain('Everything works.')
})

test('what does not work is said in words, in both languages', async ({ browser, baseURL }) => {
  const since = Date.UTC(2026, 4, 3, 14, 5)
  const status = {
    signIn: { state: 'down', since },
    matching: { state: 'trouble', since },
    calls: { state: 'trouble', since },
    pictures: { state: 'down', since },
  }
  for (const [locale, words] of [
    ['en-GB', ['Sign-in does not work now.', 'New matches take longer than usual.']],
    ['es-MX', ['Ahora mismo no se puede iniciar sesión.', 'Encontrar a alguien tarda más de lo normal.']],
  ] as const) {
    const context = await browser.newContext({ locale, serviceWorkers: 'block', ...(baseURL && { baseURL }) })
    await context.route('**/api/status/get', (route) => route.fulfill({ json: status }))
    const page = await context.newPage()
    await page.goto('/status')
    for (const sentence of words) await expect(state(page)).toContainText(sentence)
    await expect(state(page)).toContainText('2026')
    if (inspected.includes(locale)) await inspect(page, `status-troubled-${locale.slice(0, 2)}`)
    await context.close()
  }
})

test('with the server stopped the page says so, from the error that a visit ends with too, and that it is back', async ({
  browser,
}) => {
  const server = await startServerProcess()
  const { port } = new URL(server.url)
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto('/status')
  await expect(state(page)).toContainText('Everything works.')
  const stored = await browser.newContext({ baseURL: server.url })
  const visit = await stored.newPage()
  await visit.goto('/about')
  await visit.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await server.stop()

  await test.step('the open page', async () => {
    await look(page)
    await expect(state(page)).toContainText('We cannot reach our own service.')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await inspect(page, 'status-unreachable')
  })
  await test.step('with the service worker, from the error that a visit ends with', async () => {
    await visit.goto('/')
    await visit.getByRole('alertdialog').getByRole('link', { name: 'See what works now' }).click()
    await expect(visit).toHaveURL(/\/status$/)
    await expect(state(visit)).toContainText('We cannot reach our own service.')
    await stored.close()
  })
  const next = await startServerProcess({ PORT: port })
  await look(page)
  await expect(state(page)).toContainText('Everything works.')
  await context.close()
  await next.stop()
})
