import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type PopupEnd, serveSdks } from '../support/fakes/fake-sdks.ts'
import { startFakeService } from '../support/fakes/fake-service.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { watchFaults } from './people.ts'

type Visit = {
  page: Page
  context: BrowserContext
  /** Addresses of the providers that the browser asked for. */
  asked: string[]
  /** How the provider's window ends from now on. */
  ends: (end: PopupEnd) => void
}

const inAnHour = Math.floor(Date.now() / 1000) + 3600

const test = base.extend<{ visit: Visit }, { site: string }>({
  site: [
    async ({ browserName }, use) => {
      expect(browserName).toBe('chromium')
      const provider = await startFakeService((path) => {
        const email = 'ada@example.org'
        if (path === '/tokeninfo')
          return { body: { aud: 'our-client', sub: '1', exp: String(inAnHour), email, email_verified: 'true' } }
        if (path === '/debug_token') return { body: { data: { app_id: 'our-app', is_valid: true, user_id: '7' } } }
        return { body: { id: '7', email } }
      })
      const server = await startServerProcess({
        GOOGLE_CLIENT_ID: 'our-client',
        GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo`,
        FACEBOOK_APP_ID: 'our-app',
        FACEBOOK_APP_SECRET: 'app-secret',
        FACEBOOK_GRAPH_URL: provider.url,
      })
      await use(server.url)
      await server.stop()
      await provider.close()
    },
    { scope: 'worker' },
  ],
  visit: async ({ page, context, site }, use) => {
    let end: PopupEnd = 'granted'
    const asked = await serveSdks(context, () => end)
    const faults = await watchFaults(page)
    await page.goto(site)
    await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
    await use({ page, context, asked, ends: (next) => (end = next) })
    expect(faults).toEqual([])
  },
})

const providers = ['Google', 'Facebook'] as const
const scripts = {
  Google: 'https://accounts.google.com/gsi/client',
  Facebook: 'https://connect.facebook.net/en_US/sdk.js',
}

async function press({ page }: Visit, provider: (typeof providers)[number]): Promise<void> {
  await page.getByRole('button', { name: `Sign in with ${provider}` }).click()
}

async function expectToEndWith({ page }: Visit, message: string): Promise<void> {
  await expect(page.getByText(message, { exact: true })).toBeVisible()
  await expect(page.getByText('Signing in...')).toHaveCount(0)
  for (const provider of providers)
    await expect(page.getByRole('button', { name: `Sign in with ${provider}` })).toBeEnabled()
  await expect(page).toHaveURL(/\/login$/)
}

for (const provider of providers) {
  test(`${provider} signs in under the strict policy, and gets no request before its button is clicked`, async ({
    visit,
  }) => {
    expect(visit.asked).toEqual([])
    await press(visit, provider)
    await expect(visit.page).toHaveURL(/\/welcome$/)
    await expect(visit.page.getByText('ada@example.org').or(visit.page.getByLabel('E-mail'))).toBeVisible()
    expect(visit.asked[0]).toBe(scripts[provider])
    const other = provider === 'Google' ? scripts.Facebook : scripts.Google
    expect(visit.asked).not.toContain(other)
  })

  test(`${provider}: a window that was closed or refused cancels, and the next try works`, async ({ visit }) => {
    visit.ends('closed')
    await press(visit, provider)
    await expectToEndWith(visit, 'Sign-in was cancelled')
    visit.ends('granted')
    await press(visit, provider)
    await expect(visit.page).toHaveURL(/\/welcome$/)
  })

  test(`${provider}: consent that was not given cancels`, async ({ visit }) => {
    visit.ends('denied')
    await press(visit, provider)
    await expectToEndWith(visit, 'Sign-in was cancelled')
  })

  test(`${provider}: a blocked window is reported`, async ({ visit }) => {
    await visit.page.evaluate(() => {
      window.open = () => null
    })
    await press(visit, provider)
    await expectToEndWith(visit, 'Sign-in popup was blocked. Please allow popups for this site')
  })

  test(`${provider}: a script that fails to load cancels, and the next try loads it again`, async ({ visit }) => {
    await visit.context.route(scripts[provider], (route) => route.abort(), { times: 1 })
    await press(visit, provider)
    await expectToEndWith(visit, 'Sign-in was cancelled')
    await press(visit, provider)
    await expect(visit.page).toHaveURL(/\/welcome$/)
  })
}

test('Google: any other refusal is shown with its error code', async ({ visit }) => {
  visit.ends('refused')
  await press(visit, 'Google')
  await expectToEndWith(visit, 'Failed to sign in with Google: Google refused the sign-in: invalid_scope')
})

test('Google: a network that fails after the window cancels', async ({ visit }) => {
  await visit.context.route('https://www.googleapis.com/**', (route) => route.abort())
  await press(visit, 'Google')
  await expectToEndWith(visit, 'Sign-in was cancelled')
})
