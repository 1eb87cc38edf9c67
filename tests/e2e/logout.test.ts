import { type BrowserContext, expect, type Page, request as requests } from '@playwright/test'
import { DATABASE, LOGOUT_COOKIE } from '#protocol/constants.ts'
import { confirmProfile, signInWithGoogle, test } from './people.ts'

// Rules: docs/product.md ACCOUNT-5, ACCOUNT-6.

const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })
const start = (page: Page) => page.getByRole('button', { name: 'Start video chat' })

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Hi, / }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
}

/** Runs in the page: no cross-fade comes to its end any more, as in a browser that draws too rarely. */
function fadeForever(): void {
  const begin = document.startViewTransition.bind(document)
  document.startViewTransition = (options) =>
    Object.defineProperty(begin(options), 'finished', { value: new Promise(() => {}) })
}

type Stored = { database: typeof DATABASE; values: Record<string, string | null> }

/** Runs in the page: stores the values as the product does; null for one that is not there. Resolves with what was stored before. */
async function exchangeStored({ database: { name, store }, values }: Stored): Promise<Stored['values']> {
  const done = (request: IDBRequest | IDBTransaction) =>
    new Promise<void>((resolve, reject) => {
      request.addEventListener(request instanceof IDBTransaction ? 'complete' : 'success', () => resolve())
      request.addEventListener('error', () => reject(new Error(`No ${name}`)))
    })
  const opening = indexedDB.open(name)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store))
  await done(opening)
  const transaction = opening.result.transaction(store, 'readwrite')
  const entries = transaction.objectStore(store)
  const before: Stored['values'] = {}
  for (const [key, value] of Object.entries(values)) {
    const reading: IDBRequest<string | undefined> = entries.get(key)
    reading.addEventListener('success', () => {
      before[key] = reading.result ?? null
    })
    if (value !== null) entries.put(value, key)
  }
  await done(transaction)
  opening.result.close()
  return before
}

const nameOf = ({ name }: { name: string }) => name
const cookieNames = async (context: BrowserContext) => (await context.cookies()).map(nameOf)

/** Copies of the cookies that the browser has now, as a thief would have them. Resolves with the statuses of their use. */
async function copyCookies(context: BrowserContext, baseURL: string) {
  const { cookies } = await context.storageState()
  const thief = await requests.newContext({
    baseURL,
    storageState: { cookies: cookies.filter(({ name }) => name !== 'logout'), origins: [] },
    extraHTTPHeaders: { origin: baseURL, 'x-requested-with': 'XMLHttpRequest' },
  })
  return async () => [
    (await thief.get('/api/cookie/access-token/validate')).status(),
    (await thief.post('/api/cookie/access-token/refresh')).status(),
  ]
}

test('a logout without an answer shows the sign-in page at once, survives a reload, and ends the login later', async ({
  arrive,
  server,
}) => {
  const { page, context } = await arrive('Olga')
  const copies = await copyCookies(context, server.url)
  await context.route('**/api/**', () => new Promise(() => {}))
  const email = page.getByText(/person\d+@example\.org/)
  await expect(email).toHaveCount(1)
  // The way out waits for no fade.
  await page.evaluate(fadeForever)
  await logOut(page)
  await expect(google(page)).toBeVisible()
  await expect(email).toHaveCount(0)

  // The old cookies are still there, and no answer comes.
  expect(await cookieNames(context)).toEqual(expect.arrayContaining(['refresh', 'profile', 'logout']))
  await page.reload()
  await expect(google(page)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)

  await context.unroute('**/api/**')
  await page.reload()
  await expect(google(page)).toBeVisible()
  await expect.poll(() => cookieNames(context)).not.toContain('logout')
  expect(await cookieNames(context)).not.toContain('refresh')
  expect(await copies()).toEqual([401, 401])
  await page.reload()
  await expect(google(page)).toBeVisible()
})

test('the next user stays signed in although the server has not heard of the logout before', async ({ arrive }) => {
  const { page, context } = await arrive('Olga')
  await context.route('**/api/cookie/logout/user', () => new Promise(() => {}))
  await logOut(page)
  await signInWithGoogle(page, 'next-user@example.org', 'Nina')
  await confirmProfile(page, 'Nina')
  await expect(start(page)).toBeVisible()
  await context.unroute('**/api/cookie/logout/user')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Hi, Nina' })).toBeVisible()
  expect(await cookieNames(context)).not.toContain('logout')
})

test('a logout in another tab shows the sign-in page in this one', async ({ arrive }) => {
  const { page, context } = await arrive('Olga')
  const other = await context.newPage()
  await other.goto('/')
  await expect(start(other)).toBeVisible()
  await logOut(other)
  await expect(google(page)).toBeVisible()
  await expect(page.getByText('Olga')).toHaveCount(0)
})

test('a logout in another tab shows the sign-in page in one that waits for the names', async ({ page, context }) => {
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/')
    await expect(google(tab)).toBeVisible()
  }
  await signInWithGoogle(page, 'two-tabs@example.org', 'Olga')
  await expect(page.getByLabel('Nickname')).toBeVisible()
  await signInWithGoogle(other, 'two-tabs@example.org', 'Olga')
  await confirmProfile(other, 'Olga')
  await expect(start(other)).toBeVisible()
  await logOut(other)
  await expect(google(page)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('a logout in one of two tabs deletes what is stored of the user, and keeps what belongs to the browser', async ({
  arrive,
}) => {
  const { page, context } = await arrive('Olga')
  const other = await context.newPage()
  await other.goto('/')
  await expect(start(other)).toBeVisible()
  const camera = '{"id":"c","label":"Camera"}'
  const values = { chosenCamera: camera, hideNetworkAddress: 'on', profilePicture: 'data of the user' }
  const kept = { ...values, profilePicture: null }
  const none = { chosenCamera: null, hideNetworkAddress: null, profilePicture: null }
  await page.evaluate(exchangeStored, { database: DATABASE, values })
  expect(await page.evaluate(exchangeStored, { database: DATABASE, values: none })).toEqual(values)
  await logOut(page)
  for (const tab of [page, other]) await expect(google(tab)).toBeVisible()
  await expect.poll(() => cookieNames(context)).not.toContain(LOGOUT_COOKIE)
  // The response has deleted the cookie and everything stored. The page stores what is kept again before it releases the lock.
  await page.evaluate((lock) => navigator.locks.request(lock, () => {}), LOGOUT_COOKIE)
  expect(await page.evaluate(exchangeStored, { database: DATABASE, values: none })).toEqual(kept)
  // The other tab has found that the server was told.
  await other.reload()
  await expect(google(other)).toBeVisible()
  expect(await other.evaluate(exchangeStored, { database: DATABASE, values: none })).toEqual(kept)
})
