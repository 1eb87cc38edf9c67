import { type BrowserContext, expect, type Page, request as requests } from '@playwright/test'
import { confirmProfile, signInWithGoogle, test } from './people.ts'

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
