import { expect } from '@playwright/test'
import { APP_VERSION } from '#protocol/constants.ts'
import { sizedList } from '../../scripts/test-limits.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { runAxe } from './inspect.ts'
import { operatorLinks, test } from './people.ts'

const article = { path: '/about', heading: 'About us' }
const form = { path: '/report-content', heading: 'Report content' }
const articles = sizedList(
  [article, form],
  [
    article,
    { path: '/terms-of-service', heading: 'Terms & Conditions' },
    { path: '/privacy-notice', heading: 'Data Privacy' },
    { path: '/fb-data-deletion', heading: 'Data deletion' },
    form,
  ],
)

for (const { path, heading } of articles) {
  test(`${path} is complete without a script, and does not change when the script hydrates it`, async ({
    browser,
    server,
  }) => {
    const still = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
    const read = await still.newPage()
    await read.goto(path)
    await expect(read.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(read).toHaveTitle(`${heading} · Waggle`)
    const words = (await read.getByRole('article').textContent()) ?? ''
    const background = () => getComputedStyle(document.body).backgroundColor
    expect(words.length).toBeGreaterThan(1_000)

    const live = await browser.newContext({ baseURL: server.url })
    const page = await live.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(path)
    // The operator is filled in by the script.
    await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page).toHaveTitle(`${heading} · Waggle`)
    expect(await page.evaluate(background)).toBe(await read.evaluate(background))
    expect(faults).toEqual([])
    await still.close()
    await live.close()
  })
}

test('the version is told without a script', async ({ server }) => {
  const page = await fetch(`${server.url}/app-version`)
  expect(await page.text()).toContain(`>${APP_VERSION}</h1>`)
})

test('a press before the script is answered when the script is here, once', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/about', { waitUntil: 'commit' })
  const opener = page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' })
  await opener.click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  scripts.resolve()
  const settings = page.getByRole('dialog', { name: 'Cookie settings' })
  await settings.getByRole('button', { name: 'Necessary only' }).click()
  await expect(settings).toBeHidden()
  await opener.click()
  await expect(settings).toBeVisible()
  await context.close()
})

test('the splash screen is visible before the script', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Waggle' })).toBeVisible()
  await context.close()
})

type Expected = { path: string; always: string; shown: RegExp; hidden: RegExp }

/** `always` is in the page without a script too, and must not say what the script makes exact. */
const configured: readonly Expected[] = [
  {
    path: '/about',
    always: 'Sign in with Google or Facebook',
    shown: /A program examines camera.*help@/s,
    hidden: /No program/,
  },
  {
    path: '/terms-of-service',
    always: 'with a Google or Facebook account',
    shown: /a program examines camera.*Write to help@/s,
    hidden: /No program/,
  },
  {
    path: '/privacy-notice',
    always: 'a picture of it is sent to our server every ten seconds.',
    shown: /A program on our server then examines it.*Or write to help@.*Questions go to help@/s,
    hidden: /No program/,
  },
  {
    path: '/fb-data-deletion',
    always: 'Delete my account',
    shown: /Write an e-mail to help@/,
    hidden: /our contact address/,
  },
]
const bare: readonly Expected[] = [
  {
    path: '/about',
    always: 'Sign in with Google',
    shown: /No program examines/,
    hidden: /Facebook|Talk to us|A program/,
  },
  {
    path: '/terms-of-service',
    always: 'Google',
    shown: /with a Google account/,
    hidden: /Contact|Facebook|a program examines/,
  },
  {
    path: '/privacy-notice',
    always: 'a picture of it is sent to our server every ten seconds.',
    shown: /No program examines it.*Google learns/s,
    hidden: /[Ww]rite to|Questions go|Google or Facebook/,
  },
  {
    path: '/fb-data-deletion',
    always: 'Delete my account',
    shown: /Within 7 business days your data are deleted\./,
    hidden: /e-mail to|Remove the app from Facebook/,
  },
]
const installations = [
  {
    name: 'with everything configured',
    env: { ...operatorLinks, FRAME_CLASSIFIER: 'on' },
    pages: configured,
    links: 8,
  },
  { name: 'with a provider alone', env: { GOOGLE_CLIENT_ID: 'client' }, pages: bare, links: 0 },
]

/** screens.test.ts examines the same pages with everything configured. */
const isExamined = (path: string) =>
  sizedList(
    ['/privacy-notice'],
    configured.map((page) => page.path),
  ).includes(path)

for (const { name, env, pages, links } of installations) {
  test(`public pages of an installation ${name} say what holds there`, async ({ browser }) => {
    const server = await startServerProcess(env)
    try {
      const still = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
      const live = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
      const [read, page] = [await still.newPage(), await live.newPage()]
      for (const { path, always, shown, hidden } of pages) {
        await read.goto(path)
        await expect(read.getByRole('article')).toContainText(always)
        await expect(read.getByRole('article')).not.toContainText(/No program|A program on our server|help@/)
        // The form for people without an account, the transparency report, and the state of the service.
        await expect(read.getByRole('contentinfo').getByRole('link')).toHaveCount(3)
        await page.goto(path)
        await expect(page.getByRole('article')).toContainText(shown)
        await expect(page.getByRole('article')).toContainText(always)
        await expect(page.getByRole('article')).not.toContainText(hidden)
        await expect(page.getByRole('contentinfo').getByRole('listitem')).toHaveCount(links)
        await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toHaveCount(links === 0 ? 0 : 1)
        if (isExamined(path)) expect((await runAxe(page)).violations).toEqual([])
      }
      await still.close()
      await live.close()
    } finally {
      await server.stop()
    }
  })
}
