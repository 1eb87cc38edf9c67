import { expect, type Page, test } from '@playwright/test'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'

// Rules: docs/product.md ACCOUNT-14, LOG-2, LOG-3.

let server: ServerProcess

test.beforeAll(async () => {
  server = await startServerProcess({ CLIENT_LOGS: 'Trace,Info,Error,Exception' })
})
test.afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

/** Resolves with the log entries that this browser has not sent yet. */
function pendingEntries(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === 'UserDb')) return []
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('UserDb')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const kept = await new Promise<{ entries: { logMessage: string }[] } | undefined>((resolve) => {
      const reading = database.transaction('userStore').objectStore('userStore').get('AppLogs')
      reading.onsuccess = () => resolve(reading.result)
    })
    database.close()
    return kept?.entries.map(({ logMessage }) => logMessage) ?? []
  })
}

test('the log is stored and sent with consent only, and withdrawing it deletes pending entries', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/logs/add')) sent.push(request.postData() ?? '')
  })
  let code = ''
  await context.route('**/api/start/get', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'x', status: 409, code }),
    }),
  )
  /** Causes a fault that the page logs. */
  async function fault(next: string): Promise<void> {
    code = next
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Try again !' })).toBeVisible()
  }
  const keys = () => page.evaluate(() => Object.keys(localStorage))
  const banner = page.getByRole('region', { name: 'Cookie choice' })

  await fault('wrong-state')
  await page.goto('/about')
  await expect(banner).toBeVisible()
  expect(await pendingEntries(page)).toEqual([])
  expect(await keys()).toEqual([])
  expect((await context.cookies()).filter(({ httpOnly }) => !httpOnly)).toEqual([])

  await banner.getByRole('button', { name: 'Necessary only' }).click()
  await expect(banner).toBeHidden()
  expect(await keys()).toEqual(['cookieChoice'])
  await fault('forbidden')
  await page.goto('/about')
  expect(await pendingEntries(page)).toEqual([])

  await page.getByRole('button', { name: 'Cookie settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Cookie settings' })
  await expect(settings.getByText('You allow what is necessary.')).toBeVisible()
  await expect(settings.getByRole('button', { name: 'Necessary only' })).toBeFocused()
  await settings.getByRole('button', { name: 'Allow all cookies' }).click()
  await context.route('**/api/logs/add', (route) => route.fulfill({ status: 503 }), { times: 100 })
  await fault('not-found')
  await expect.poll(async () => (await pendingEntries(page)).join()).toContain('not-found')
  await page.goto('/about')
  await expect.poll(() => sent.join()).toContain('not-found')

  await page.getByRole('button', { name: 'Cookie settings' }).click()
  await expect(settings.getByText('You allow everything.')).toBeVisible()
  await settings.getByRole('button', { name: 'Necessary only' }).click()
  await expect.poll(() => pendingEntries(page)).toEqual([])
  const before = sent.length
  await fault('too-large')

  // With consent again, later entries are sent, and none from the time without it.
  await page.goto('/about')
  await page.getByRole('button', { name: 'Cookie settings' }).click()
  await settings.getByRole('button', { name: 'Allow all cookies' }).click()
  await fault('not-in-match')
  await expect.poll(async () => (await pendingEntries(page)).join()).toContain('not-in-match')
  await page.goto('/about')
  await expect.poll(() => sent.slice(before).join()).toContain('not-in-match')
  for (const unsent of ['wrong-state', 'forbidden', 'too-large']) expect(sent.join()).not.toContain(unsent)
  expect(sent.slice(before).join()).not.toContain('not-found')
  await context.close()
})
