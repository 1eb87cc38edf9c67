import { expect, type Page } from '@playwright/test'
import type { Start } from '#protocol/start.ts'
import { translate } from '../support/browser/translate.ts'
import { inspect } from './inspect.ts'
import { type Person, startChat, test } from './people.ts'

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: code, status, code }),
})

async function startWith(page: Page, changed: Partial<Start>): Promise<void> {
  await page.context().route('**/api/start/get', async (route) => {
    const response = await route.fetch()
    const start = (await response.json()) as Start
    await route.fulfill({ response, json: { ...start, ...changed } })
  })
}

/** Lets the open dashboard ask for the state of the login, which it does every five minutes. */
async function validate(page: Page): Promise<void> {
  const validated = page.waitForResponse('**/api/start/get')
  await page.clock.fastForward('05:00')
  await (await validated).finished()
}

async function newVisitor(
  browser: import('@playwright/test').Browser,
  baseURL: string | undefined,
  userAgent?: string,
) {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    permissions: ['camera', 'microphone'],
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(userAgent === undefined ? {} : { userAgent }),
  })
  await context.addInitScript(translate)
  return context.newPage()
}

// Each screen as a browser translates it, from its first paint on: nothing of the page has to break.
test.use({ isTranslated: true })

test('static pages', async ({ browser, baseURL }) => {
  const page = await newVisitor(browser, baseURL)
  for (const path of [
    'about',
    'privacy-notice',
    'terms-of-service',
    'fb-data-deletion',
    'transparency',
    'status',
    'report-content',
    'app-version',
  ]) {
    await page.goto(`/${path}`)
    await expect(page.getByText(path === 'app-version' ? '20251103.14.51' : '2026').first()).toBeVisible()
    await inspect(page, path)
  }
  await page.context().close()
})

test('the splash screen, its offer on Android, and its errors', async ({ browser, baseURL }) => {
  const page = await newVisitor(browser, baseURL)
  await page.context().route('**/api/**', () => {})
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Waggle' })).toBeVisible()
  await inspect(page, 'splash')
  await page.context().unroute('**/api/**')
  await page.context().route('**/api/**', (route) => route.fulfill(problem(400, 'bad-request')))
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Try again !' })).toBeVisible()
  await inspect(page, 'error')
  await page.context().close()

  const android = await newVisitor(browser, baseURL, 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/156.0 Mobile')
  await android.goto('/')
  await expect(android.getByRole('dialog', { name: 'Download Android app' })).toBeVisible()
  await inspect(android, 'android-offer')
  await android.context().close()
})

test('sign-in and welcome', async ({ browser, baseURL }) => {
  const page = await newVisitor(browser, baseURL)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  await inspect(page, 'sign-in')
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  const popup = await opening
  await expect(popup.getByLabel('E-mail')).toBeVisible()
  await inspect(popup, 'development-sign-in')
  await popup.getByLabel('E-mail').fill('screens@example.org')
  await popup.getByLabel('First name').fill('Nora')
  await popup.getByLabel('Last name').fill('Tester')
  await inspect(page, 'signing-in')
  await popup.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Nickname')).toBeVisible()
  await inspect(page, 'welcome')
  await page.getByLabel('Date of birth').click()
  await expect(page.getByRole('grid')).toBeVisible()
  await inspect(page, 'calendar')
  await page.keyboard.press('Escape')
  await page.getByLabel('Nickname').fill('Nora')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
  await expect(page.getByText(/^You left the date of birth as we proposed it/)).toBeVisible()
  await inspect(page, 'consent')
  await page.context().route('**/api/user/profile/add', (route) => route.fulfill(problem(400, 'bad-request')))
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('button', { name: 'Try again !' })).toBeVisible()
  await inspect(page, 'profile-not-saved')
  await page.context().close()
})

/** What the dashboard says in each state. */
const shown = {
  Warning: /Continued violations may lead/,
  Appeal: 'Submit Appeal',
  InReview: 'Your account is under review',
  Blocked: 'Your account is permanently suspended',
} as const
const statuses = ['Warning', 'Appeal', 'InReview', 'Blocked'] as const

test('the dashboard in its five states and without its count, and its dialogs', async ({ arrive }) => {
  const { page, context } = await arrive('Paula')
  await page.clock.install()
  await page.goto('/')
  const start = page.getByRole('button', { name: 'Start video chat' })
  await expect(page.getByRole('heading', { name: 'Meet new people' })).toBeVisible()
  await expect(start).toBeVisible()
  await inspect(page, 'dashboard-valid')

  await page.getByRole('button', { name: /Paula/ }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await inspect(page, 'profile-popup')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Camera and sound' }).click()
  const starter = page.getByRole('button', { name: 'Check my camera and connection' })
  await starter.click()
  await expect(page.getByText(/only direct calls are possible/)).toBeVisible()
  await expect(page.getByText('Your camera works if you see yourself.')).toBeVisible()
  await inspect(page, 'device-check')
  await page.keyboard.press('Escape')
  await expect(starter).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  for (const status of statuses) {
    await startWith(page, { block: { status } })
    await validate(page)
    const mayStart = status === 'Warning'
    await expect(page.getByText(shown[status]).first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Meet new people' })).toBeVisible({ visible: mayStart })
    await expect(start).toBeVisible({ visible: mayStart })
    await inspect(page, `dashboard-${status.toLowerCase()}`)
    await context.unroute('**/api/start/get')
  }

  await context.route('**/api/users/online/get*', (route) => route.fulfill(problem(500, 'unknown')))
  await startWith(page, { block: null })
  await page.goto('/')
  await expect(page.getByText(/^The number of people online could not be loaded/)).toBeVisible()
  await expect(start).toBeVisible()
  await inspect(page, 'dashboard-no-count')
})

test('a restriction with its case above the camera card, and a dashboard whose parts fail', async ({ arrive }) => {
  const { page, context } = await arrive('Paula')
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No', 'NotAllowedError'))
  })
  await page.clock.install()
  const times = { since: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 11) }
  const notice = { outcome: 'ended' as const, at: times.until }
  const warning = { what: 'frames', rule: 'no-explicit-content', next: 'warning-ends', ...times } as const
  await startWith(page, { block: { status: 'Warning', case: warning, notice } })
  await page.goto('/')
  await expect(page.getByText(/^Our system, by an automatic check/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Turn on your camera and mic for video chat' })).toBeVisible()
  await inspect(page, 'dashboard-warning-no-camera')
  await context.unroute('**/api/start/get')

  const ban = { what: 'age', rule: 'adults-only', next: 'final', since: times.since, until: null } as const
  await startWith(page, { block: { status: 'Blocked', case: ban } })
  await validate(page)
  await expect(page.getByText(/^Our system, by the date of birth/)).toBeVisible()
  await inspect(page, 'dashboard-blocked-age')
  await context.unroute('**/api/start/get')

  await context.route('**/api/users/block/get*', (route) => route.fulfill(problem(500, 'unknown')))
  await startWith(page, { block: null })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your status could not be loaded' })).toBeVisible()
  await inspect(page, 'dashboard-unread')
})

async function openDialog(page: Page, name: RegExp, picture: string): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await inspect(page, picture)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function meet(...people: Person[]): Promise<void> {
  for (const person of people) await startChat(person)
  for (const { page } of people) await expect(page).toHaveURL(/\/chat$/)
}

test('matching and the call', async ({ arrive }) => {
  const quinn = await arrive('Quinn')
  const ruth = await arrive('Ruth')
  await startChat(quinn)
  await expect(quinn.page.getByText('Finding a partner...')).toBeVisible()
  await inspect(quinn.page, 'matching')
  await meet(ruth)
  const { page } = quinn
  await expect(page.getByText('Waiting for the picture')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Next match', exact: true })).toBeEnabled()
  await inspect(page, 'call')
  await page.getByLabel('Message').fill('Hello! How is your evening going so far?')
  await page.getByRole('button', { name: 'Send' }).click()
  await ruth.page.getByLabel('Message').fill('Very well, thank you. I am cooking.')
  await ruth.page.getByLabel('Message').press('Enter')
  await expect(page.getByText('I am cooking')).toBeVisible()
  await inspect(page, 'call-chat')
  await openDialog(page, /Report User/, 'report')
  await openDialog(page, /Camera and sound|Devices/, 'devices')

  await ruth.page.getByRole('button', { name: 'Report User' }).click()
  await ruth.page.getByRole('button', { name: 'Ok' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await inspect(page, 'warned')
})
