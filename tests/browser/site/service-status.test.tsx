import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import type { ServiceStatus } from '#protocol/service-status.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'
import { pageAttention } from '../../../src/platform/io/page-wakes.ts'
import { ServiceStatusPage } from '../../../src/site/service-status/service-status-page.tsx'
import { createServiceStatusStore } from '../../../src/site/state/service-status.ts'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { drawn, render, unmount } from '../../support/browser/render.tsx'
import { violations } from '../../support/browser/violations.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'

afterEach(() => {
  vi.restoreAllMocks()
  document.documentElement.style.colorScheme = ''
})

const works = { state: 'works' } as const
const fine: ServiceStatus = { signIn: works, matching: works, calls: works, pictures: works }
const since = new Date(2026, 4, 3, 14, 5).getTime()
const troubled: ServiceStatus = {
  signIn: { state: 'down', since },
  matching: { state: 'trouble', since },
  calls: { state: 'trouble', since },
  pictures: works,
}
const away = () => Promise.reject(new AppError('network-error'))

/** The page over a server that the test answers for. */
function open(first: () => ServiceStatus | Promise<ServiceStatus> = () => fine) {
  const server = { answer: first }
  const api = fakeApi({ readServiceStatus: () => server.answer() })
  const log = { info() {}, error() {} }
  const store = createServiceStatusStore({ api, log, clock: browserClock, page: pageAttention })
  const { stores } = fakeStores()
  render(stores, <ServiceStatusPage store={store} />, '/status')
  return { server, stores, api }
}

const state = page.getByRole('main').getByRole('status')
const look = () => document.dispatchEvent(new Event('visibilitychange'))

test('everything works: each part says so, and the page when it looked', async () => {
  open()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Service status' })).toBeVisible()
  await expect.element(state.getByText('Everything works.')).toBeVisible()
  expect(state.getByRole('listitem').elements()).toHaveLength(4)
  await expect.element(state).not.toMatchTextContent('Since')
  await expect.element(page.getByText(/^As of .+\. This page looks again/)).toBeVisible()
  await expect.poll(() => document.title).toBe('Service status · Waggle')
})

test('what does not work is said in words, with its beginning and what to do', async () => {
  open(() => troubled)
  await expect.element(state.getByText('Something does not work now.')).toBeVisible()
  const [signIn, matching, calls, pictures] = state.getByRole('listitem').elements()
  expect(signIn?.textContent).toMatch(/^Sign-in does not work now\.Since May 3, 2026, 2:05.PM\. Please try again/)
  expect(matching?.textContent).toMatch(/^New matches take longer than usual\.Since .*the search goes on by itself\.$/)
  expect(calls?.textContent).toMatch(/^Some calls do not connect\./)
  expect(pictures?.textContent).toBe('Camera pictures of the dashboard reach us.')
})

test('a service that does not answer is said to be unreachable, until it answers', async () => {
  const { server } = open(away)
  await expect.element(state.getByText('We cannot reach our own service.')).toBeVisible()
  await expect.element(state).toMatchTextContent('Since ')
  await expect.element(state).toMatchTextContent('Does another site open?')
  await expect.element(page.getByText(/^As of/)).not.toBeInTheDocument()
  server.answer = () => fine
  look()
  await expect.element(state.getByText('Everything works.')).toBeVisible()
})

test('the live region is there before its words, and does not change while nothing changes', async () => {
  const first = Promise.withResolvers<ServiceStatus>()
  const { server, api } = open(() => first.promise)
  await expect.element(state.getByText('Looking...')).toBeVisible()
  const region = state.element()
  first.resolve(troubled)
  await expect.element(state.getByText('Something does not work now.')).toBeVisible()
  expect(state.element()).toBe(region)
  const changes = vi.fn()
  const observer = new MutationObserver(changes)
  observer.observe(region, { subtree: true, childList: true, characterData: true })
  server.answer = () => structuredClone(troubled)
  look()
  await expect.poll(() => api.made.length).toBe(2)
  await drawn()
  observer.disconnect()
  expect(changes).not.toHaveBeenCalled()
})

test('a device that is offline says that of itself', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { api } = open()
  await expect.element(state.getByText(/^Your device is offline/)).toBeVisible()
  expect(api.made).toEqual([])
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await expect.element(state.getByText('Everything works.')).toBeVisible()
})

test('a page that is hidden, or was left, asks nothing', async () => {
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { api } = open()
  await expect.element(state.getByText('Looking...')).toBeInTheDocument()
  expect(api.made).toEqual([])
  visible.mockReturnValue('visible')
  look()
  await expect.element(state.getByText('Everything works.')).toBeVisible()
  unmount()
  look()
  window.dispatchEvent(new Event('online'))
  expect(api.made).toHaveLength(1)
})

test('the page is in Spanish, with its times', async () => {
  const { stores } = open(() => troubled)
  await stores.texts.choose('es')
  await expect.element(state.getByText('Ahora mismo no se puede iniciar sesión.')).toBeVisible()
  await expect.element(state).toMatchTextContent('Desde: 3 may 2026, 14:05.')
})

test.for([
  ['light', 'troubled'],
  ['dark', 'troubled'],
  ['light', 'away'],
] as const)('in the %s scheme at 320 px, %s, nothing overflows and axe finds nothing', async ([scheme, what]) => {
  document.documentElement.style.colorScheme = scheme
  await page.viewport(320, 640)
  open(what === 'away' ? away : () => troubled)
  await expect.element(state.getByText(/Something does not work|We cannot reach/)).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  expect(await violations('#root')).toEqual([])
})
