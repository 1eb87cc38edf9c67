import { expect, type Page } from '@playwright/test'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

// Rules: docs/product.md ROUTE-3.

const lengthOf = (page: Page) => page.evaluate(() => history.length)
const start = (page: Page) => page.getByRole('button', { name: 'Start video chat' })

async function expectMeeting(...people: Person[]): Promise<void> {
  for (const { page } of people) {
    await expect(page).toHaveURL(/\/chat$/)
    await expectLivePicture(page.getByLabel('Peer video'))
  }
}

async function meet(...people: Person[]): Promise<void> {
  for (const person of people) await startChat(person)
  await expectMeeting(...people)
}

/** Expects that this entry of the dashboard is the first one of the product. */
async function expectNoWayBack(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => page.evaluate(() => navigation.currentEntry?.index)).toBe(0)
}

test('one user: no step of a visit adds an entry that Back from the dashboard would open', async ({ arrive }) => {
  const { page } = await arrive('Anna', 'pages')
  await test.step('Back from the dashboard opens neither sign-in nor welcome', () => expectNoWayBack(page))
  const before = await lengthOf(page)

  await test.step('the way home from the dashboard is no entry', async () => {
    await page.locator('header').getByRole('link').first().click()
    await expect(start(page)).toBeVisible()
    expect(await lengthOf(page)).toBe(before)
    await expectNoWayBack(page)
  })

  await test.step('Back ends a search, Forward does not begin it again', async () => {
    await start(page).click()
    await expect(page.getByText('Finding a partner...')).toBeVisible()
    expect(await lengthOf(page)).toBe(before + 1)
    await page.goBack()
    await expect(start(page)).toBeVisible()
    await page.goForward()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(start(page)).toBeVisible()
    await expectNoWayBack(page)
  })

  await test.step('a page for everyone is an ordinary entry', async () => {
    await page.getByRole('button', { name: /Anna/ }).click()
    await page.getByRole('link', { name: 'About Us' }).click()
    await expect(page).toHaveURL(/\/about$/)
    expect(await lengthOf(page)).toBe(before + 1)
    await page.goBack()
    await expect(start(page)).toBeVisible()
    await page.goForward()
    await expect(page).toHaveURL(/\/about$/)
    await page.goBack()
    await expect(start(page)).toBeVisible()
  })

  await test.step('a reload during a search leads to the entry of the dashboard', async () => {
    await start(page).click()
    await expect(page.getByText('Finding a partner...')).toBeVisible()
    await page.reload()
    await expect(start(page)).toBeVisible()
    await expectNoWayBack(page)
  })

  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})

test('two users: no call adds an entry that Back from the dashboard would open', async ({ arrive }) => {
  const elsa = await arrive('Elsa')
  const fynn = await arrive('Fynn')
  const { page } = elsa
  const before = await lengthOf(page)
  await meet(elsa, fynn)

  await test.step('calls and searches add one entry together, and Cancel gives it back', async () => {
    await page.getByRole('button', { name: 'Next match', exact: true }).click()
    await expect(fynn.page.getByText('Elsa has left the chat.')).toBeVisible()
    // No other user is in the queue, so the two are matched again.
    await expectMeeting(elsa, fynn)
    expect(await lengthOf(page)).toBe(before + 1)
    await fynn.page.getByRole('button', { name: 'Exit' }).click()
    await expect(start(fynn.page)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(start(page)).toBeVisible()
    expect(await lengthOf(page)).toBe(before + 1)
    for (const one of [page, fynn.page]) await expectNoWayBack(one)
  })

  await test.step('Back ends a call, and Forward does not open it again', async () => {
    await meet(elsa, fynn)
    await page.goBack()
    await expect(start(page)).toBeVisible()
    await expect(fynn.page.getByText('Elsa has left the chat.')).toBeVisible()
    await expect(fynn.page).toHaveURL(/\/buzzing$/)
    await page.goForward()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(start(page)).toBeVisible()
    await expectNoWayBack(page)
  })

  await test.step('the guidelines after a warning are an entry, and Back from them leads to the dashboard', async () => {
    await start(page).click()
    await expectMeeting(elsa, fynn)
    await fynn.page.getByRole('button', { name: 'Report User' }).click()
    await fynn.page.getByRole('button', { name: 'Ok' }).click()
    await page.getByRole('button', { name: 'View Guidelines' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms & Conditions')
    await page.goBack()
    await expect(start(page)).toBeVisible()
    await expectNoWayBack(page)
  })
  await expectNoWayBack(page)
})
