import { type Browser, expect, type Page } from '@playwright/test'
import { addModerator, type Credentials, codeOf } from '../support/stores/moderators.ts'
import { colourRules, runAxe } from './inspect.ts'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

async function logIn(browser: Browser, url: string, { name, password, uri }: Credentials, width = 1280): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height: 800 }, permissions: [] })
  const page = await context.newPage()
  await page.goto('/moderation')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Code').fill(codeOf({ uri }))
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('region', { name: 'Queue' })).toBeVisible()
  return page
}

/** Runs axe: all rules in the light scheme, and those whose result the scheme can change in the dark one. */
async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', undefined],
    ['dark', colourRules],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await runAxe(page, rules)
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
}

async function meet(one: Person, other: Person): Promise<void> {
  await startChat(one)
  await startChat(other)
  for (const { page } of [one, other]) await expectLivePicture(page.getByLabel('Peer video'))
}

async function report({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Report User' }).click()
  await page.getByRole('radio', { name: /Block & Report/ }).check()
  await page.getByRole('button', { name: 'Ok' }).click()
}

test('a report with the pictures of both sides is decided by a moderator, and the reported user is notified', async ({
  arrive,
  browser,
  server,
}) => {
  const lars = await arrive('Lars')
  const mona = await arrive('Mona')
  await meet(lars, mona)
  // Both browsers send their picture beside the report.
  const pictures = [lars, mona].map(({ context }) =>
    context.waitForEvent('response', (response) => response.url().endsWith('/report/video-frame/add')),
  )
  await report(lars)
  await expect(mona.page.getByText('Warning: You Have Been Reported')).toBeVisible()
  for (const picture of await Promise.all(pictures)) expect(picture.status()).toBe(200)

  const console = await logIn(browser, server.url, await addModerator(server.dataDir, 'nele'))
  // Other users may have been reported on this server before.
  await console.getByRole('link', { name: /Mona/ }).click()
  const shown = console.getByRole('article', { name: 'Case of Mona' })
  await expect(shown).toBeVisible()

  // No picture is loaded before the moderator requests it.
  await expect(shown.getByRole('button', { name: 'Show: What the reporter saw' })).toBeVisible()
  await expect(shown.getByRole('button', { name: 'Show: Their own camera' })).toBeVisible()
  await expect(shown.getByRole('img')).toHaveCount(0)
  await console.keyboard.press('e')
  for (const name of ['What the reporter saw', 'Their own camera']) {
    const picture = shown.getByRole('img', { name })
    await expect(picture).toBeVisible()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  }
  await expect(shown.getByText('unchanged since it came')).toHaveCount(2)
  await expect(shown.getByText('Sent by the reporter’s browser: could be forged')).toBeVisible()
  await expect(shown.getByText('Sent by the reported person’s browser: could be forged')).toBeVisible()
  await shown.getByRole('button', { name: 'Hide: Their own camera' }).click()
  await expect(shown.getByRole('img', { name: 'Their own camera' })).toHaveCSS('filter', 'blur(32px)')

  await expectAccessible(console)

  await console.keyboard.press('2')
  const dialog = console.getByRole('dialog', { name: 'Warn Mona?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(console)
  await dialog.getByLabel('Rule').selectOption('Be respectful')
  await dialog.getByLabel('Note').fill('Insulting gestures')
  await dialog.getByRole('button', { name: 'Warn' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(shown.getByText('Insulting gestures')).toBeVisible()
  await expect(console.getByRole('link', { name: /Mona/ })).toHaveCount(0)
  // The pictures are deleted after the review.
  await expect(shown.getByText('There is none.')).toBeVisible()

  await mona.page.getByRole('button', { name: 'Understood', exact: true }).click()
  await mona.page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(mona.page.getByRole('heading', { name: 'A warning about your account' })).toBeVisible()
  await console.context().close()
})

test('the console fits a phone, and an ended login leads back to the login page', async ({ browser, server }) => {
  const credentials = await addModerator(server.dataDir, 'otto')
  const console = await logIn(browser, server.url, credentials, 390)
  const tooWide = () => console.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect(console.getByText('Overdue')).toBeVisible()
  await expectAccessible(console)
  expect(await tooWide()).toBe(0)
  await console.goto('/moderation/no-such-case')
  await expect(console.getByText('There is no such case.')).toBeVisible()
  expect(await tooWide()).toBe(0)
  await console.context().clearCookies()
  await console.getByRole('link', { name: 'Back to the queue' }).click()
  await console.getByRole('radio', { name: 'Appeal' }).click()
  await expect(console.getByText('Your login has ended.')).toBeVisible()
  await expect(console.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expectAccessible(console)
  await console.context().close()
})
