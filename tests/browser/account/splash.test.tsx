import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { SplashPage } from '../../../src/account/splash/splash-page.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

afterEach(() => vi.restoreAllMocks())

const address = page.getByTestId('address')

test('a signed-in user comes to the dashboard, and start-up runs once', async () => {
  const { stores, requests } = fakeVisit()
  render(
    stores,
    <StrictMode>
      <SplashPage />
    </StrictMode>,
  )
  await expect.element(address).toHaveTextContent('/dashboard')
  expect(requests('readStart')).toHaveLength(1)
  expect(stores.visit.flags.value.dashboardPageCanBeLoadedFromSplashScreen).toBe(true)
})

test('any other user comes to the sign-in page', async () => {
  const { stores } = fakeVisit({ start: { profile: null, isSignedIn: false } })
  render(stores, <SplashPage />)
  await expect.element(address).toHaveTextContent('/login')
})

test('a start-up that fails stays here with the error', async () => {
  const { stores } = fakeVisit({ failing: { readStart: 'network-error' } })
  render(stores, <SplashPage />)
  await expect.poll(() => stores.toasts.failure.value).toEqual({ kind: 'http', code: 'network-error' })
  await expect.element(address).toHaveTextContent('/')
})

test('on Android nothing starts before Continue on Web', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16; Pixel)')
  const { stores, sent } = fakeVisit()
  render(stores, <SplashPage />)
  const offer = page.getByRole('dialog', { name: 'Download Android app' })
  await expect.element(offer).toBeVisible()
  const message = 'Experience better video calls and enhanced features on our mobile app'
  await expect.element(offer.getByText(message)).toBeVisible()
  const download = page.getByRole('link', { name: 'Download' })
  await expect.element(download).toHaveAttribute('href', 'https://store.example/waggle')
  await expect.element(download).toHaveAttribute('target', '_blank')
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Continue on Web' }).click()
  await expect.element(address).toHaveTextContent('/dashboard')
})

test('on Android nothing is offered where there is no app', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16; Pixel)')
  const { stores } = fakeVisit()
  render({ ...stores, config: { ...stores.config, storeUrl: null } }, <SplashPage />)
  await expect.element(address).toHaveTextContent('/dashboard')
})

test('a user of the Android app is not asked to download it', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16; Pixel)')
  vi.spyOn(document, 'referrer', 'get').mockReturnValue('android-app://example.waggle/')
  const { stores } = fakeVisit()
  render(stores, <SplashPage />)
  await expect.element(address).toHaveTextContent('/dashboard')
})
