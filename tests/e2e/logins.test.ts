import { expect, type Page } from '@playwright/test'
import { test } from './people.ts'

// Rules: docs/product.md ACCOUNT-7, ACCOUNT-10.

const openPopup = (page: Page) => page.getByRole('button', { name: /^Hi, / }).click()
const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })

async function emailOf(page: Page): Promise<string> {
  return (await page.getByRole('region', { name: 'Profile' }).getByText('@').textContent()) ?? ''
}

/** Signs in through the provider's popup that this click opens. */
async function identify(page: Page, email: string): Promise<void> {
  const popupOpens = page.waitForEvent('popup')
  await google(page).click()
  const popup = await popupOpens
  await popup.getByLabel('E-mail').fill(email)
  await popup.getByLabel('First name').fill('Olga')
  await popup.getByLabel('Last name').fill('Tester')
  await popup.getByRole('button', { name: 'Continue' }).click()
}

test('a login in another browser is listed, and ending it takes effect there at once', async ({
  arrive,
  browser,
  server,
}) => {
  const { page } = await arrive('Olga')
  await openPopup(page)
  const email = await emailOf(page)
  const other = await browser.newContext({ baseURL: server.url })
  const elsewhere = await other.newPage()
  await elsewhere.goto('/')
  await identify(elsewhere, email)
  await expect(elsewhere.getByRole('button', { name: 'Confirm' })).toBeVisible()

  await page.getByRole('button', { name: 'Where I am signed in' }).click()
  const list = page.getByRole('dialog', { name: 'Where you are signed in' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('button', { name: 'End this login' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await elsewhere.goto('/')
  await expect(google(elsewhere)).toBeVisible()
  await other.close()
})

test('an export after an old sign-in asks for a new sign-in and then continues by itself', async ({ arrive }) => {
  const { page, context } = await arrive('Olga')
  await openPopup(page)
  const email = await emailOf(page)
  const problem = { type: 'x', title: 'Forbidden', status: 403, code: 'sign-in-again' }
  const refusal = { status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) }
  await context.route('**/user/data/get', (route) => route.fulfill(refusal), { times: 1 })
  await page.getByRole('button', { name: 'Download my data' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Please sign in again' })
  await identify(page, 'somebody-else@example.org')
  await expect(dialog.getByText(/That is another account/)).toBeVisible()
  const downloading = page.waitForEvent('download')
  await identify(page, email)
  expect((await downloading).suggestedFilename()).toBe('waggle-my-data.json')
  await expect(dialog).toBeHidden()
})

test.describe('with the service worker', () => {
  test.use({ withServiceWorker: true })

  test('a logout clears the data of the user but not the settings of the browser', async ({ arrive }) => {
    const { page, context } = await arrive('Olga')
    await page.evaluate(() => {
      localStorage.setItem('cookieChoice', 'all')
      localStorage.setItem('left-behind', 'x')
    })
    await context.addCookies([{ name: 'language', value: 'en', url: page.url() }])
    await openPopup(page)
    const email = await emailOf(page)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(google(page)).toBeVisible()
    const kept = () => page.evaluate(() => [localStorage.getItem('cookieChoice'), localStorage.getItem('left-behind')])
    await expect.poll(kept).toEqual(['all', null])
    expect((await context.cookies()).map(({ name }) => name)).toEqual(expect.arrayContaining(['language']))

    // The logout cleared the database that the page had open, so the page opens it again.
    await identify(page, email)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  })
})
