import { expect, type Page } from '@playwright/test'
import { type Person, test } from './people.ts'

const start = (page: Page) => page.getByRole('button', { name: 'Start video chat' })
const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })

/** Opens the dashboard in a page whose clock the test moves, and waits until its requests of the start are answered. */
async function openDashboard(page: Page): Promise<void> {
  await page.clock.install()
  const details = page.waitForResponse('**/api/user/ip/add')
  await page.goto('/')
  await expect(start(page)).toBeVisible()
  await details
}

/** Lets five minutes pass on the page. Resolves when the login was validated. */
async function validate(page: Page): Promise<void> {
  const validated = page.waitForResponse('**/api/start/get')
  await page.clock.fastForward('05:00')
  await (await validated).finished()
}

/** Replaces parts of the answers to the next validations. */
async function answerWith({ context }: Person, changed: object): Promise<void> {
  await context.route('**/api/start/get', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...changed } })
  })
}

test('a dashboard that stays open shows what becomes of its login: unchanged, offline, another user, banned, ended', async ({
  arrive,
}) => {
  const vera = await arrive('Vera')
  const olga = await arrive('Olga')
  const { page, context } = vera
  await openDashboard(page)

  await test.step('a valid login changes nothing', async () => {
    await validate(page)
    await expect(start(page)).toBeVisible()
  })

  await test.step('offline nothing is validated, and back online it is at once', async () => {
    const asked: string[] = []
    context.on('request', (request) => void (request.url().endsWith('/start/get') && asked.push(request.url())))
    await context.setOffline(true)
    await page.clock.fastForward('10:00')
    await expect(page.getByText('You are offline.')).toBeVisible()
    expect(asked).toEqual([])
    const validated = page.waitForResponse('**/api/start/get')
    await context.setOffline(false)
    await validated
    await expect(page.getByText('You are offline.')).not.toBeVisible()
    await expect(start(page)).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  await test.step('another user who signs in in another tab is the one of this tab as well', async () => {
    const cookies = await olga.context.cookies()
    await context.clearCookies()
    await context.addCookies(cookies)
    await validate(page)
    await expect(page.getByRole('button', { name: 'Hi, Olga' })).toBeVisible()
    await expect(start(page)).toBeVisible()
  })

  await test.step('a ban shows', async () => {
    await answerWith(vera, { block: { status: 'Blocked' } })
    await validate(page)
    await expect(page.getByRole('heading', { name: 'Your account is permanently suspended' })).toBeVisible()
    await expect(start(page)).toHaveCount(0)
    await context.unroute('**/api/start/get')
    await validate(page)
    await expect(start(page)).toBeVisible()
  })

  await test.step('a login that ended opens the sign-in page', async () => {
    await context.clearCookies()
    await page.clock.fastForward('05:00')
    await expect(google(page)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0)
  })
})

test('two tabs that validate at once both stay signed in, and the next time as well', async ({ arrive }) => {
  const { page, context } = await arrive('Vera')
  const tabs = [page, await context.newPage()]
  for (const tab of tabs) await openDashboard(tab)
  for (const _ of ['first', 'second']) {
    await Promise.all(tabs.map(validate))
    for (const tab of tabs) await expect(start(tab)).toBeVisible()
  }
  for (const tab of tabs) await expect(tab).toHaveURL(/\/dashboard$/)
})
