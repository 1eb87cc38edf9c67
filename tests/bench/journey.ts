import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { signIn } from '../support/servers/server.ts'
import { startServerProcess } from '../support/servers/server-process.ts'

const PHONE = { width: 390, height: 844 }
const SLOW = 4
/** LiveKit's ready-made VideoConference, which does a part of what is done here, in brotli bytes. */
const LIVEKIT_BYTES = 198_500

type Interaction = { name: string; ms: number }
export type Journey = {
  interactions: Interaction[]
  /** The sum of all layout shifts of the visit that follow no input. */
  shift: number
  /** Brotli bytes of every script that was loaded before the call, and the part of it that the workers run. */
  scripts: { all: number; workers: number; ratio: number }
}

type Watched = typeof globalThis & { shift: number; slowest: number }

/** Runs in each document before anything of the page. */
function watch(): void {
  const page = globalThis as Watched
  page.shift = 0
  page.slowest = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) page.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) page.slowest = Math.max(page.slowest, entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** A visit on a slow phone from the first screen to a call, with what people do on the way and the press of Next at its end. */
export async function benchJourney(): Promise<Journey> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const server = await startServerProcess({ NEXT_WAIT_SECONDS: '1' })
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const partner = await enter(browser, server.url, 'bela')
    const context = await contextOf(browser, server.url, 'ada')
    const scripts = countScripts(context)
    await context.addInitScript(watch)
    const page = await context.newPage()
    await page.setViewportSize(PHONE)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW })
    await page.goto('/')
    await page.getByRole('button', { name: 'Start video chat' }).waitFor()
    const interactions = await interact(page, partner, scripts)
    const shift = await page.evaluate(() => (globalThis as Watched).shift)
    return { interactions, shift, scripts: scripts.sums() }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function contextOf(browser: Browser, origin: string, name: string): Promise<BrowserContext> {
  // A service worker fetches everything there is, for later.
  const context = await browser.newContext({
    baseURL: origin,
    permissions: ['camera', 'microphone'],
    serviceWorkers: 'block',
  })
  const { cookies } = await signIn({ origin }, { email: `${name}@example.org` })
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: origin })))
  return context
}

async function enter(browser: Browser, origin: string, name: string): Promise<Page> {
  const page = await (await contextOf(browser, origin, name)).newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Start video chat' }).click()
  return page
}

/** Looks the sizes up beside the build, where everything lies compressed. */
function countScripts(context: BrowserContext) {
  const files = new Map<string, number>()
  let counting = true
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const file = join('dist', `${pathname}.br`)
    if (counting && pathname.endsWith('.js') && pathname.startsWith('/assets/') && existsSync(file))
      files.set(pathname, statSync(file).size)
  })
  return {
    stop(): void {
      counting = false
    },
    sums(): Journey['scripts'] {
      const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0)
      const all = sum(files.values())
      const workers = sum(
        [...files].filter(([name]) => /\.worker-|\/(?:network|later-parts)-/.test(name)).map(([, size]) => size),
      )
      return { all, workers, ratio: all / LIVEKIT_BYTES }
    },
  }
}

async function interact(page: Page, partner: Page, scripts: { stop(): void }): Promise<Interaction[]> {
  const interactions: Interaction[] = []
  async function time(name: string, act: () => Promise<void>): Promise<void> {
    await page.evaluate(() => {
      const here = globalThis as Watched
      here.slowest = 0
    })
    await act()
    // The observer receives an entry after the frame that follows it.
    await page.evaluate(
      () =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))),
    )
    interactions.push({ name, ms: await page.evaluate(() => (globalThis as Watched).slowest) })
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  /** Clicks without Playwright's hit test, which would run within the measured event. */
  async function press(what: Locator): Promise<void> {
    await what.click({ trial: true })
    const box = await what.boundingBox()
    if (!box) throw new Error('It cannot be seen')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  }
  const gone = (what: Locator) => what.waitFor({ state: 'hidden' })

  await time('open the profile', () => press(button(/Ada/i)))
  await time('close it', () => page.keyboard.press('Escape'))
  await time('open the device menu', () => press(button('Camera and sound')))
  await time('close it', async () => {
    await press(button('Done'))
    await gone(page.getByRole('dialog'))
  })
  await time('hide the network address', () => press(page.getByRole('switch', { name: /network address/ })))
  await page.getByRole('switch', { name: /network address/ }).click()
  await time('start a chat', () => press(button('Start video chat')))
  await page.waitForURL('**/chat')
  scripts.stop()
  await button('Next match').waitFor()
  await partner.getByLabel('Message').waitFor()
  await time('type a message', () => page.getByLabel('Message').pressSequentially('Hello there'))
  await time('send it', () => page.keyboard.press('Enter'))
  await time('mute', () => press(button('Microphone')))
  await time('open the report dialog', () => press(button('Report User')))
  await time('cancel it', () => press(button('Cancel')))
  await time('go to the next match', () => press(button('Next match')))
  return interactions
}
