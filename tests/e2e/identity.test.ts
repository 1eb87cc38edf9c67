import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type PopupEnd, serveSdks } from '../support/fakes/fake-sdks.ts'
import { watchFaults } from './profiles.ts'
import { withProviders } from './providers.ts'

type Visit = {
  page: Page
  context: BrowserContext
  /** Addresses of the providers that the browser asked for. */
  asked: string[]
  /** How the provider's window ends from now on. */
  ends: (end: PopupEnd) => void
}

const test = withProviders.extend<{ visit: Visit }>({
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

/** For each call of `window.open` whether the browser still took it for the user's. */
type Opened = typeof globalThis & { opened?: boolean[] }

/** Clicks while the provider's script is held back. Resolves with the window, and with what lets the script go on. */
async function openBeforeScript({ page, context }: Visit, provider: (typeof providers)[number]) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route(scripts[provider], async (route) => {
    await released
    await route.fallback()
  })
  await page.evaluate(() => {
    const { open } = window
    const opened: boolean[] = []
    Object.assign(globalThis, { opened })
    window.open = (...args) => {
      opened.push(navigator.userActivation.isActive)
      return open.apply(window, args)
    }
  })
  const popupOpens = page.waitForEvent('popup')
  await page.getByRole('button', { name: `Sign in with ${provider}` }).click()
  return { popup: await popupOpens, release }
}

async function expectToEndWith({ page }: Visit, message: string): Promise<void> {
  await expect(page.getByText(message, { exact: true })).toBeVisible()
  await expect(page.getByText('Signing in...')).toHaveCount(0)
  for (const provider of providers)
    await expect(page.getByRole('button', { name: `Sign in with ${provider}` })).toBeEnabled()
  await expect(page).toHaveURL(/\/login$/)
}

const unreachable = (provider: string) =>
  `${provider} could not be reached. Check your connection, and allow ${provider} in blockers of ads and trackers.`

for (const provider of providers) {
  test(`${provider} signs in under the strict policy, and gets no request before its button is clicked`, async ({
    visit,
  }) => {
    expect(visit.asked).toEqual([])
    const { release, popup } = await openBeforeScript(visit, provider)
    await test.step('the window opens at once, and a script that is late comes into it', async () => {
      await expect(popup.getByText('Signing in...')).toBeVisible()
      expect(await visit.page.evaluate(() => (globalThis as Opened).opened)).toEqual([true])
      release()
      await expect(visit.page).toHaveURL(/\/welcome$/)
      expect(visit.context.pages()).toEqual([visit.page])
    })
    await expect(visit.page.getByText('ada@example.org').or(visit.page.getByLabel('E-mail'))).toBeVisible()
    expect(visit.asked[0]).toBe(scripts[provider])
    const other = provider === 'Google' ? scripts.Facebook : scripts.Google
    expect(visit.asked).not.toContain(other)
  })

  test(`${provider}: what prevents the sign-in cancels or is said, and the next try works`, async ({ visit }) => {
    await test.step('a script that fails to load, which the next try loads again', async () => {
      await visit.context.route(scripts[provider], (route) => route.abort(), { times: 1 })
      await press(visit, provider)
      await expectToEndWith(visit, unreachable(provider))
      await expect.poll(() => visit.context.pages()).toEqual([visit.page])
    })

    await test.step('closing the window while the script is loaded', async () => {
      const { release, popup } = await openBeforeScript(visit, provider)
      await popup.close()
      await expectToEndWith(visit, 'Sign-in was cancelled')
      release()
    })

    await test.step('a window that was closed or refused', async () => {
      visit.ends('closed')
      await press(visit, provider)
      await expectToEndWith(visit, 'Sign-in was cancelled')
    })

    await test.step('consent that was not given', async () => {
      visit.ends('denied')
      await press(visit, provider)
      await expectToEndWith(visit, 'Sign-in was cancelled')
    })

    await test.step('a blocked window is reported', async () => {
      await visit.page.evaluate(() => {
        const { open } = window
        window.open = () => {
          window.open = open
          return null
        }
      })
      await press(visit, provider)
      await expectToEndWith(visit, 'Sign-in popup was blocked. Please allow popups for this site')
    })

    if (provider === 'Google') {
      await test.step('any other refusal is shown with its error code', async () => {
        visit.ends('refused')
        await press(visit, 'Google')
        await expectToEndWith(visit, 'Failed to sign in with Google: Google refused the sign-in: invalid_scope')
      })

      await test.step('a network that fails after the window', async () => {
        visit.ends('granted')
        await visit.context.route('https://www.googleapis.com/**', (route) => route.abort(), { times: 1 })
        await press(visit, 'Google')
        await expectToEndWith(visit, unreachable(provider))
      })
    }

    visit.ends('granted')
    await press(visit, provider)
    await expect(visit.page).toHaveURL(/\/welcome$/)
  })
}
