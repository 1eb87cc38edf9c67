import { signal } from '@preact/signals-react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { SignInPage } from '../../../src/account/sign-in/sign-in-page.tsx'
import { WelcomePage } from '../../../src/account/welcome/welcome-page.tsx'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { MatchingPage } from '../../../src/call/search/matching-page.tsx'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { AboutPage } from '../../../src/site/about/about-page.tsx'
import { DataDeletionPage } from '../../../src/site/data-deletion/data-deletion-page.tsx'
import { PrivacyPage } from '../../../src/site/privacy/privacy-page.tsx'
import { ServiceStatusPage } from '../../../src/site/service-status/service-status-page.tsx'
import type { ServiceStatusStore } from '../../../src/site/state/service-status.ts'
import { TermsPage } from '../../../src/site/terms/terms-page.tsx'
import { fakeStores, meet, paintedStream } from '../../support/browser/fake-stores.ts'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render } from '../../support/browser/render.tsx'

beforeEach(() => {
  document.documentElement.dir = 'rtl'
})
afterEach(() => {
  document.documentElement.dir = 'ltr'
})

async function inACall() {
  const fake = fakeStores()
  await fake.stores.devices.open()
  meet(fake)
  fake.stores.call.showRemote(paintedStream())
  fake.stores.chat.receive('Hello there')
  fake.stores.chat.send('Hello to you too')
  return fake.stores
}

async function signedIn(status: 'Valid' | 'Appeal' = 'Valid') {
  const fake = fakeStores({ status })
  await fake.signIn()
  return fake.stores
}

const down: ServiceStatusStore = { seen: signal({ what: 'unreachable', since: 0 }), watch: () => () => {} }

const screens: Record<string, { stores: () => Promise<ReturnType<typeof fakeStores>['stores']>; screen: ReactNode }> = {
  'sign-in': { stores: async () => fakeVisit().stores, screen: <SignInPage /> },
  welcome: { stores: async () => fakeVisit().stores, screen: <WelcomePage /> },
  dashboard: { stores: signedIn, screen: <DashboardPage /> },
  'dashboard of a suspended account': { stores: () => signedIn('Appeal'), screen: <DashboardPage /> },
  matching: { stores: signedIn, screen: <MatchingPage /> },
  call: { stores: inACall, screen: <CallPage /> },
  about: { stores: async () => fakeVisit().stores, screen: <AboutPage /> },
  terms: { stores: async () => fakeVisit().stores, screen: <TermsPage /> },
  privacy: { stores: async () => fakeVisit().stores, screen: <PrivacyPage /> },
  'service status': { stores: async () => fakeVisit().stores, screen: <ServiceStatusPage store={down} /> },
  'data deletion': { stores: async () => fakeVisit().stores, screen: <DataDeletionPage /> },
}

/** Returns the elements that overflow the window to either side and could be scrolled to. */
function overhanging(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []
  const out = [
    ...document.querySelectorAll<HTMLElement>('#root :is(button, a, h1, h2, p, label, select, input)'),
  ].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && (left < -1 || right > clientWidth + 1)
  })
  return [...wide, ...out.map((element) => `${element.tagName} ${element.className}`)]
}

describe.each(Object.entries(screens))('%s', (_name, { stores: prepare, screen }) => {
  test.each([
    ['en-XB', 320],
    ['en-XB', 1280],
    ['es', 320],
  ] as const)('%s fits into %i pixels', async (language, width) => {
    document.documentElement.dir = language === 'es' ? 'ltr' : 'rtl'
    await page.viewport(width, 720)
    const stores = await prepare()
    await stores.texts.choose(language)
    render(stores, screen)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument()
    await expect.poll(overhanging).toEqual([])
  })
})

const leftOf = (element: Element) => element.getBoundingClientRect().left

test('own messages, the chat and the own picture are at the left, and the icon of Next points to the left', async () => {
  await page.viewport(1280, 800)
  render(await inACall(), <CallPage />)
  await expect.element(page.getByText('Hello there')).toBeVisible()
  const theirs = page.getByText('Hello there').element()
  const own = page.getByText('Hello to you too').element()
  expect(leftOf(own)).toBeLessThan(leftOf(theirs))
  expect(leftOf(page.getByRole('log').element())).toBeLessThan(leftOf(page.getByLabelText('Peer video').element()))
  const picture = page
    .getByRole('button', { name: /Move your picture/ })
    .element()
    .getBoundingClientRect()
  const stage = page.getByLabelText('Pictures').element().getBoundingClientRect()
  expect(picture.right).toBeLessThan(stage.left + stage.width / 2)
  const arrow = document.querySelector('[d^="m9.5 8"]')
  expect(arrow && getComputedStyle(arrow).scale).toBe('-1 1')
})

test('the greeting is at the left, the logo at the right, and the popup opens below the greeting', async () => {
  await page.viewport(1280, 800)
  render(await signedIn(), <DashboardPage />)
  const greeting = page.getByRole('button', { name: 'Hi, Ada' })
  await expect.element(greeting).toBeVisible()
  expect(leftOf(greeting.element())).toBeLessThan(leftOf(page.getByRole('link', { name: 'Waggle' }).element()))
  await greeting.click()
  const popup = page.getByRole('region', { name: 'Profile' }).element().getBoundingClientRect()
  expect(popup.left).toBeLessThan(innerWidth / 2)
})

test('in the calendar the next month is to the left, and arrow keys follow the visual direction', async () => {
  await page.viewport(1280, 800)
  const { stores } = fakeVisit()
  await stores.texts.choose('en-XB')
  render(stores, <WelcomePage />)
  await expect.element(page.getByRole('textbox').nth(2)).toBeVisible()
  await page.getByRole('textbox').nth(2).click()
  const calendar = page.getByRole('dialog')
  await expect.element(calendar.getByRole('combobox')).toBeVisible()
  const header = calendar.getByRole('combobox').element().parentElement
  const [earlier, , later] = header?.querySelectorAll('button') ?? []
  if (!earlier || !later) throw new Error('The calendar has no arrows')
  expect(leftOf(later)).toBeLessThan(leftOf(earlier))
  const focused = () => document.activeElement?.textContent
  await expect.poll(focused).toMatch(/^\d+$/)
  await calendar.getByRole('button').nth(1).click()
  await expect.poll(focused).toMatch(/^\d{4}$/)
  const year = Number(focused())
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => Number(focused())).toBe(year - 1)
})
