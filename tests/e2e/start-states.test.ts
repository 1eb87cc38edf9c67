import { resolve } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { sizedList } from '../../scripts/test-limits.ts'
import { movableClock } from '../support/movable-clock.ts'
import { startServer, type TestServer, type Visitor } from '../support/servers/server.ts'
import { createStartWorld, type StartEnd, type StartWorld, startStates } from '../support/servers/start-states.ts'

const google = 'Sign in with Google'
const startChat = 'Start video chat'

/** What the screen shows at each end of a start. */
const ends: Record<
  StartEnd,
  { path: string; shown: (page: Page) => ReturnType<Page['getByText']>; mayStart: boolean }
> = {
  login: { path: '/login', shown: (page) => page.getByRole('button', { name: google }), mayStart: false },
  Valid: { path: '/dashboard', shown: (page) => page.getByRole('button', { name: startChat }), mayStart: true },
  Warning: { path: '/dashboard', shown: (page) => page.getByText(/Continued violations may lead/), mayStart: true },
  Appeal: { path: '/dashboard', shown: (page) => page.getByRole('button', { name: 'Submit Appeal' }), mayStart: false },
  InReview: { path: '/dashboard', shown: heading('Your account is under review'), mayStart: false },
  Blocked: { path: '/dashboard', shown: heading('Your account is permanently suspended'), mayStart: false },
  deletion: { path: '/dashboard', shown: heading('Your account is being deleted'), mayStart: false },
}

function heading(name: string) {
  return (page: Page) => page.getByRole('heading', { name })
}

const clock = movableClock()
let server: TestServer
let foreign: TestServer
let world: StartWorld

test.beforeAll(async () => {
  server = await startServer({}, { clock, dist: resolve('dist') })
  foreign = await startServer({}, { clock })
  world = createStartWorld(server, foreign, clock)
})
test.afterAll(async () => {
  await server.stop()
  await foreign.stop()
})

const url = (path: string) => `http://localhost:${server.port}${path}`

async function takeCookies(context: BrowserContext, { cookies }: Visitor): Promise<void> {
  const attributes = { url: url('/'), httpOnly: true, sameSite: 'Lax' as const }
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, ...attributes })))
}

/** Counts how often the page opens the camera. */
async function countOpenings(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    Object.assign(globalThis, { openings: 0 })
    mediaDevices.getUserMedia = (constraints) => {
      Object.assign(globalThis, { openings: (globalThis as unknown as { openings: number }).openings + 1 })
      return open(constraints)
    }
  })
  return () => page.evaluate(() => (globalThis as unknown as { openings: number }).openings)
}

/** States of which the server's tests know the answer, which is that of another state here. */
const sameAnswer = new Set([
  'a session cookie alone, not entered',
  'access token kept beyond its end',
  'access token without refresh token',
  'tokens without profile cookie, access token expired',
  'logged out in a copy of this browser',
  'a person whose suspension ended',
])

const shown = Object.keys(startStates).filter((name) => !sameAnswer.has(name))
/** Each end, and for the sign-in page each way to it: without a login, with a broken one, with one that was refused, without a profile. */
const kinds = [
  'no cookies',
  'broken cookies',
  'refresh token used, after the grace period',
  'tokens without a profile',
  'signed in',
  'access token removed by the browser, refresh token valid',
  'a warned person',
  'a suspended person',
  'a banned person',
  'a person who asked for deletion',
]

test('a visit ends on the screen of its state', async ({ browser }) => {
  // A service worker would keep the landing page of an earlier state.
  const context = await browser.newContext({ permissions: ['camera', 'microphone'], serviceWorkers: 'block' })
  const page = await context.newPage()
  const openings = await countOpenings(page)
  const devtools = await context.newCDPSession(page)
  for (const name of sizedList(kinds, shown)) {
    const state = startStates[name]
    if (!state) throw new Error(`There is no state ${name}`)
    const { end, make } = state
    await test.step(`${end}: ${name}`, async () => {
      await page.goto(url('/healthz'))
      await devtools.send('Storage.clearDataForOrigin', { origin: new URL(url('/')).origin, storageTypes: 'all' })
      await context.clearCookies()
      await takeCookies(context, await make(world))
      const { path, shown: shownAt, mayStart } = ends[end]
      await page.goto(url('/'))
      await expect(shownAt(page)).toBeVisible()
      await expect(page).toHaveURL(url(path))
      await expect(page.getByRole('button', { name: startChat })).toHaveCount(mayStart ? 1 : 0)
      await expect(page.getByRole('button', { name: 'Try again !' })).toHaveCount(0)
      if (end !== 'Valid' && end !== 'Warning') expect(await openings()).toBe(0)
    })
  }
  await context.close()
})

test('two tabs that start at once after the access token ended are both signed in, and stay it', async ({
  context,
}) => {
  const person = await startStates['access token removed by the browser, refresh token valid']?.make(world)
  if (person) await takeCookies(context, person)
  const tabs = [await context.newPage(), await context.newPage()]
  for (const _ of ['first', 'second']) {
    await Promise.all(tabs.map((tab) => tab.goto(url('/'))))
    for (const tab of tabs) await expect(tab.getByRole('button', { name: startChat })).toBeVisible()
  }
})

test('a return without a network waits, and shows the dashboard when it is back', async ({ page, context }) => {
  await takeCookies(context, await world.somebody())
  await page.goto(url('/about'))
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await context.setOffline(true)
  await page.goto(url('/'))
  await expect(page.getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: startChat })).toBeVisible()
})
