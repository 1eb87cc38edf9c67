import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import type { Identity } from '../../../src/account/ports.ts'
import { assignSlots } from '../../../src/account/sign-in/collage.tsx'
import { SignInPage } from '../../../src/account/sign-in/sign-in-page.tsx'
import { Toasts } from '../../../src/ui/toasts.tsx'
import { fakeVisit } from '../../support/browser/fake-visit.ts'
import { render, unmount } from '../../support/browser/render.tsx'

const google = page.getByRole('button', { name: 'Sign in with Google' })
const facebook = page.getByRole('button', { name: 'Sign in with Facebook' })

const adasIdentity: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'NA',
  profilePictureUrl: '',
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function visit(given?: Parameters<typeof fakeVisit>[0]) {
  const fake = fakeVisit(given)
  render(
    fake.stores,
    <>
      <SignInPage />
      <Toasts />
    </>,
  )
  return fake
}

test('signing in shows progress and leads to welcome', async () => {
  const { promise, resolve } = Promise.withResolvers<Identity>()
  const { stores } = visit({ identity: () => promise })
  await google.click()
  await expect.element(page.getByText('Signing in...')).toBeVisible()
  await expect.element(google).toBeDisabled()
  resolve(adasIdentity)
  await expect.element(page.getByTestId('address')).toHaveTextContent('/welcome')
  expect(stores.visit.flags.value.signInPageLoaded).toBe(true)
})

test('a closed provider window stops the spinner and shows a message', async () => {
  visit({ identity: () => Promise.reject(new AppError('sign-in-cancelled')) })
  await facebook.click()
  await expect.element(page.getByText('Sign-in was cancelled')).toBeVisible()
  await expect.element(page.getByText('Signing in...')).not.toBeInTheDocument()
  await expect.element(facebook).toBeEnabled()
})

test('an account without an e-mail address gets the text of this refusal', async () => {
  visit({ identity: async () => ({ ...adasIdentity, source: 'Facebook', emailAddress: '' }) })
  await facebook.click()
  await expect.element(page.getByRole('heading', { name: 'We need your e-mail address' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Back to the start' })).toBeVisible()
})

test('a window that the browser blocks is reported, and nothing goes on', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  const { sent } = visit()
  await google.click()
  await expect.element(page.getByText('Sign-in popup was blocked. Please allow popups for this site')).toBeVisible()
  await expect.element(google).toBeEnabled()
  expect(sent.map(({ name }) => name)).not.toContain('setTokens')
})

test('a provider that is not configured has no button', async () => {
  visit({ googleOnly: true })
  await expect.element(google).toBeVisible()
  await expect.element(facebook).not.toBeInTheDocument()
})

test('the conditions and the privacy policy open in new tabs', async () => {
  visit()
  for (const [name, path] of [
    ['Terms and conditions', '/terms-of-service'],
    ['Data privacy policy', '/privacy-notice'],
  ] as const) {
    const link = page.getByRole('link', { name })
    await expect.element(link).toHaveAttribute('href', path)
    await expect.element(link).toHaveAttribute('target', '_blank')
  }
})

test('the collage has faces, which the data saver leaves out', async () => {
  const faces = () => document.querySelectorAll('img[src^="/faces/"]').length
  const { stores } = visit()
  await expect.element(google).toBeVisible()
  expect(faces()).toBeGreaterThanOrEqual(3)
  stores.pictureChoice.choose('saver')
  await expect.poll(faces).toBe(0)
  await expect.element(google).toBeVisible()
})

const everySlot = [
  'left-2',
  'left-1',
  'center',
  'right-1',
  'right-2',
  'top',
  'blurred-left',
  'bottom',
  'blurred-right',
] as const

const facesShown = () => [...document.querySelectorAll<HTMLImageElement>('img[src^="/faces/"]')]

test.for([
  [1280, 4],
  [1024, 4],
  [1023, 5],
  [481, 5],
  [480, 3],
  [320, 3],
] as const)('at a width of %i there are %i faces, and no other is loaded or decoded', async ([width, count]) => {
  await page.viewport(width, 800)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const settle: (() => void)[] = []
  const decode = vi
    .spyOn(HTMLImageElement.prototype, 'decode')
    .mockImplementation(() => new Promise((resolve) => settle.push(resolve)))
  const created = vi.spyOn(globalThis, 'Image')
  visit()
  await expect.element(google).toBeVisible()
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  const first = facesShown().map(({ src }) => src)
  expect(first).toHaveLength(count)
  expect(facesShown().every((face) => face.checkVisibility())).toBe(true)

  vi.advanceTimersByTime(5_000)
  expect(decode).toHaveBeenCalledTimes(count)
  expect(created).toHaveBeenCalledTimes(count)
  // What loads slowly is neither shown yet nor loaded twice.
  vi.advanceTimersByTime(20_000)
  expect(decode).toHaveBeenCalledTimes(count)
  expect(facesShown().map(({ src }) => src)).toEqual(first)
  for (const resolve of settle) resolve()
  const next = decode.mock.contexts.map((picture) => (picture as HTMLImageElement).src).toSorted()
  await expect
    .poll(() =>
      facesShown()
        .map(({ src }) => src)
        .toSorted(),
    )
    .toEqual(next)
})

test('a page that is not seen changes no faces', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  visit()
  await expect.element(google).toBeVisible()
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(decode).not.toHaveBeenCalled()
  hidden.mockReturnValue(false)
  vi.advanceTimersByTime(5_000)
  expect(decode).toHaveBeenCalled()
})

test('every slot of the collage has a different face, of the kind of that slot', () => {
  for (let round = 0; round < 50; round += 1) {
    const slots = assignSlots(everySlot)
    expect(new Set(Object.values(slots)).size).toBe(9)
    expect([slots.top, slots['blurred-left']]).toEqual([expect.stringMatching(/^man-/), expect.stringMatching(/^man-/)])
    expect([slots.bottom, slots['blurred-right']]).toEqual([
      expect.stringMatching(/^woman-/),
      expect.stringMatching(/^woman-/),
    ])
  }
})

test.for([
  [1280, 800],
  [390, 844],
  [320, 640],
] as const)('at %i by %i nothing covers a control and nothing is wider than the screen', async ([width, height]) => {
  await page.viewport(width, height)
  visit()
  await expect.element(page.getByRole('region', { name: 'Cookie choice' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(width)
  const covered = [...document.querySelectorAll('a, button')].filter((control) => {
    const box = control.getClientRects()[0]
    if (!box) return false
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const top = document.elementFromPoint(x, y)
    return y < innerHeight && top !== null && !control.contains(top)
  })
  expect(covered).toEqual([])
})

test('the cookie banner asks once', async () => {
  const { stores } = visit()
  await page.getByRole('button', { name: 'Necessary only' }).click()
  await expect.element(page.getByRole('region', { name: 'Cookie choice' })).not.toBeInTheDocument()
  expect(localStorage.getItem('cookieChoice')).toBe('necessary')
  unmount()
  render(stores, <SignInPage />)
  await expect.element(google).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Cookie choice' })).not.toBeInTheDocument()
})
