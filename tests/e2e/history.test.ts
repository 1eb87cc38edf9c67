import { expect, type Page } from '@playwright/test'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

const lengthOf = (page: Page) => page.evaluate(() => history.length)
const start = (page: Page) => page.getByRole('button', { name: 'Start video chat' })

async function meet(...people: Person[]): Promise<void> {
  for (const person of people) await startChat(person)
  for (const { page } of people) await expectLivePicture(page.getByLabel('Peer video'))
}

/** Expects that Back from the dashboard leads out of the product. */
async function expectWayOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
}

test('Back from the dashboard opens neither sign-in nor welcome', async ({ arrive }) => {
  const { page } = await arrive('Anna', 'pages')
  await expectWayOut(page)
})

test('Back ends a search, Forward does not begin it again', async ({ arrive }) => {
  const { page } = await arrive('Bruno')
  const before = await lengthOf(page)
  await start(page).click()
  await expect(page.getByText('Finding a partner...')).toBeVisible()
  expect(await lengthOf(page)).toBe(before + 1)
  await page.goBack()
  await expect(start(page)).toBeVisible()
  await page.goForward()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(start(page)).toBeVisible()
  await expectWayOut(page)
})

test('Back ends a call, and Forward does not open it again', async ({ arrive }) => {
  const carla = await arrive('Carla')
  const dino = await arrive('Dino')
  await meet(carla, dino)
  await carla.page.goBack()
  await expect(start(carla.page)).toBeVisible()
  await expect(dino.page.getByText('Carla has left the chat.')).toBeVisible()
  await expect(dino.page).toHaveURL(/\/buzzing$/)
  await carla.page.goForward()
  await expect(carla.page).toHaveURL(/\/dashboard$/)
  await expect(start(carla.page)).toBeVisible()
  await expectWayOut(carla.page)
})

test('calls and searches add one entry together, and Exit and Cancel give it back', async ({ arrive }) => {
  const elsa = await arrive('Elsa')
  const fynn = await arrive('Fynn')
  const { page } = elsa
  const before = await lengthOf(page)
  await meet(elsa, fynn)
  await page.getByRole('button', { name: 'Next match', exact: true }).click()
  await expect(page.getByText('Finding a partner...')).toBeVisible()
  expect(await lengthOf(page)).toBe(before + 1)
  await page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(start(page)).toBeVisible()
  await fynn.page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(start(fynn.page)).toBeVisible()

  const gina = await arrive('Gina')
  await meet(elsa, gina)
  await page.getByRole('button', { name: 'Exit' }).click()
  await expect(start(page)).toBeVisible()
  expect(await lengthOf(page)).toBe(before + 1)
  await expectWayOut(page)
})

test('a reload during a search leads to the entry of the dashboard', async ({ arrive }) => {
  const { page } = await arrive('Hanna')
  await start(page).click()
  await expect(page.getByText('Finding a partner...')).toBeVisible()
  await page.reload()
  await expect(start(page)).toBeVisible()
  await expectWayOut(page)
})

test('a page for everyone is an ordinary entry, the way home from the dashboard is none', async ({ arrive }) => {
  const { page } = await arrive('Ivo')
  const before = await lengthOf(page)
  await page.locator('header').getByRole('link').first().click()
  await expect(start(page)).toBeVisible()
  expect(await lengthOf(page)).toBe(before)
  await page.getByRole('button', { name: /Ivo/ }).click()
  await page.getByRole('link', { name: 'About Us' }).click()
  await expect(page).toHaveURL(/\/about$/)
  expect(await lengthOf(page)).toBe(before + 1)
  await page.goBack()
  await expect(start(page)).toBeVisible()
  await page.goForward()
  await expect(page).toHaveURL(/\/about$/)
})

test('the guidelines after a warning are an entry, and Back from them leads to the dashboard', async ({ arrive }) => {
  const jule = await arrive('Jule')
  const kai = await arrive('Kai')
  await meet(jule, kai)
  await kai.page.getByRole('button', { name: 'Report User' }).click()
  await kai.page.getByRole('button', { name: 'Ok' }).click()
  await jule.page.getByRole('button', { name: 'View Guidelines' }).click()
  await expect(jule.page.getByRole('heading', { level: 1 })).toHaveText('Terms & Conditions')
  await jule.page.goBack()
  await expect(start(jule.page)).toBeVisible()
  await expectWayOut(jule.page)
})
