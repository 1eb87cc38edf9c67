import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { readMetrics } from '../support/servers/read-metrics.ts'
import { identityToken, newVisitor, signIn } from '../support/servers/server.ts'
import { accountOf, putStatus } from '../support/stores/put-status.ts'
import { openWebKit, startWatchedServer, type WatchedServer, type WebKit } from './webkit.ts'

/** Screens in WebKitGTK, the nearest to Safari that runs on Linux. Debian builds it without WebRTC: there are no calls. */

const withCamera = ['--enable-media-stream=true', '--enable-mock-capture-devices=true']
const suspended = 'suspended@example.org'

let server: WatchedServer
let browser: WebKit | undefined

async function open(args: readonly string[] = []): Promise<WebKit> {
  browser = await openWebKit(server, args)
  return browser
}

/**
 * Answers as the window of the development sign-in does, and opens none: in one of four runs WebKitGTK 2.50.6 aborted in a garbage
 * collection after that window was closed.
 */
function answerInPlaceOfWindow(identity: Record<string, string>): void {
  function answer(): void {
    const data = { type: 'development-identity', identity }
    dispatchEvent(Object.assign(new Event('message'), { origin: location.origin, source: popup, data }))
  }
  const popup = {
    document: document.implementation.createHTMLDocument(),
    closed: false,
    close() {},
    location: { replace: () => setTimeout(answer) },
  }
  globalThis.open = () => popup as unknown as Window
}

const sizesOfRadios = () =>
  [...document.querySelectorAll('[type=radio]')].map((one) => [one.clientWidth, one.clientHeight])
const sizesOfChips = () =>
  [...document.querySelectorAll('label:has([type=radio])')].map((one) => [one.clientWidth, one.clientHeight])

test.beforeAll(async () => {
  server = await startWatchedServer()
})
test.afterEach(async ({ browserName: _ }, { status, expectedStatus, title }) => {
  // A browser that has crashed gives none.
  const picture = status === expectedStatus ? null : await browser?.screenshot().catch(() => null)
  if (picture) {
    mkdirSync('test-results/webkit', { recursive: true })
    writeFileSync(`test-results/webkit/${title}.png`, picture)
  }
  await browser?.stop()
  browser = undefined
})
test.afterAll(() => server.stop())

test('public pages, one of each layout', async () => {
  const { open: goto, inspect, run, seen } = await open()
  await goto('/robots.txt')
  await run('localStorage.setItem("silent-workers", "")')
  await goto('/')
  await inspect('Waggle')
  await run('localStorage.removeItem("silent-workers")')
  for (const [path, heading] of [
    ['/about', 'About us'],
    ['/deletion-status', 'Deletion status'],
    ['/status', 'Service status'],
    ['/nowhere', 'Welcome to Waggle'],
  ] as const) {
    await goto(path)
    await inspect(heading)
  }
  await seen('button', 'Sign in with Google')
})

test('a new user without a camera, from the sign-in to every dialog of the dashboard and the logout', async () => {
  const { open: goto, inspect, click, fill, seen, evaluate } = await open()
  const nora = { email: 'nora@example.org', firstName: 'Nora', lastName: 'Tester' }
  const accessToken = await identityToken(newVisitor({ origin: server.url('') }), nora)
  await goto('/')
  await seen('button', 'Sign in with Google')
  await evaluate(answerInPlaceOfWindow, { ...nora, accessToken, pictureUrl: '' })
  await click('button', 'Sign in with Google')
  await seen('input', 'Nickname')
  await inspect('Your profile')
  // Each covers its chip, for pointers and screen readers.
  expect(await evaluate(sizesOfRadios)).toEqual(await evaluate(sizesOfChips))
  await click('input', 'Date of birth')
  await seen('[role=grid]', '')
  await inspect('Your profile')
  await click('button', 'Close')
  await fill('Nickname', 'Nora')
  await click('button', 'Confirm')
  await inspect('Stay safe and have fun!')
  await click('button', 'Accept')
  await seen('p', 'No camera or no microphone was found.')
  await inspect('Turn on your camera and mic for video chat')
  await click('button', 'Hi, ')
  for (const [opener, heading, closer] of [
    ['Edit profile', 'Your profile', 'Cancel'],
    ['Where I am signed in', 'Where you are signed in', 'Close'],
    ['Delete my account', 'Delete your account?', 'Keep my account'],
  ] as const) {
    await click('button', opener)
    await inspect(heading)
    await click('button', closer)
  }
  await click('button', 'Close')
  await click('button', 'Cookie settings')
  await inspect('Cookie settings')
  await click('button', 'Necessary only')
  await click('button', 'Hi, ')
  await click('button', 'Logout')
  await inspect('Welcome to Waggle')
})

test('the status of a suspended user', async () => {
  await signIn({ origin: server.url('') }, { email: suspended })
  await server.edit(async (store) => putStatus(store, await accountOf(store, suspended), 'Appeal'))
  const { open: goto, become, inspect, click } = await open()
  await become(await signIn({ origin: server.url('') }, { email: suspended }))
  await goto('/')
  await inspect('Your account is temporarily suspended')
  await click('button', 'Submit Appeal')
  await inspect('Your appeal was submitted')
  // WebKit ran the worker's first script twice, and each request was sent twice.
  const metric = await readMetrics(server)
  const appeals = (status: string) =>
    metric(
      `waggle_http_request_duration_seconds_count{method="POST",route="/api/users/block/appeal",status="${status}"}`,
    )
  expect([appeals('2xx'), appeals('4xx')]).toEqual([1, 0])
})

test('with a camera: its picture, the devices, a profile picture, and the search', async () => {
  const { open: goto, become, inspect, click, run } = await open(withCamera)
  await become(await signIn({ origin: server.url('') }, { email: 'ada@example.org' }))
  await goto('/')
  await inspect('Meet new people')
  const time = () => run<number>('return document.querySelector("video").currentTime')
  const first = await time()
  await expect.poll(time).toBeGreaterThan(first)
  await click('button', 'Camera and sound')
  await inspect('Camera and sound')
  await click('button', 'Done')
  await click('button', 'Hi, ')
  await click('button', 'Edit profile')
  await click('button', 'Use the camera')
  await click('button', 'Take the picture')
  await inspect('Your profile')
  await click('button', 'Save')
  const picture = 'return document.querySelector("button img[src^=blob]")?.naturalWidth ?? 0'
  await expect.poll(() => run<number>(picture)).toBeGreaterThan(0)
  await click('button', 'Close')
  await click('button', 'Start video chat')
  await inspect('Finding a partner...')
  const middles = `return [...document.querySelectorAll('main svg circle')].map((circle) => {
    const { x, y, width, height } = circle.getBoundingClientRect()
    return [Math.round(x + width / 2), Math.round(y + height / 2)]
  })`
  const [outer, inner] = await run<[number, number][]>(middles)
  expect(inner).toEqual(outer)
  await click('button', 'Cancel Matching')
  await inspect('Meet new people')
})
