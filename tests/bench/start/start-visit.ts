import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, CDPSession, Page } from 'playwright'
import type { PhoneNetwork, SlowProxy } from './slow-proxy.ts'
import { collectVitals, type Vitals, type WatchedPage, watchButton } from './watch-page.ts'
import { type Initiators, joinRequests, type PageEntry, type StartRequest } from './waterfall.ts'

/** A slow phone: 150 ms there and back, 1.6 Mbit/s down, 768 kbit/s up. */
const NETWORK: PhoneNetwork = {
  up: { kbitPerSecond: 768, delayMs: 75 },
  down: { kbitPerSecond: 1_638.4, delayMs: 75 },
}
const CPU = 4
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
/** The library reports an interaction in an idle moment after its frame. */
const VITALS_MS = 3_000
const CLICKS_MAX = 20

/** A visit until its button has reacted, in ms since the start of the navigation. */
export type StartVisit = { shownAt: number; reactedAt: number; requests: StartRequest[]; vitals: Vitals }

/** The build of web-vitals for script elements, which the package does not export by name. */
const vitalsBuild = readFileSync(
  join(dirname(fileURLToPath(import.meta.resolve('web-vitals/attribution'))), 'web-vitals.attribution.iife.js'),
  'utf8',
)

/** Opens the landing page on a slow phone and clicks the button whose text matches `button`, until the page reacts. */
export async function measureStart(context: BrowserContext, proxy: SlowProxy, button: string): Promise<StartVisit> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await page.addInitScript(watchButton, button)
  await page.addInitScript(`${vitalsBuild};globalThis.webVitals = webVitals`)
  await page.addInitScript(collectVitals)
  const initiators = await followInitiators(devtools)
  // Somebody who comes back finds the service worker stopped.
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  await devtools.send('ServiceWorker.disable')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  proxy.setNetwork(NETWORK)
  proxy.takeRequests()
  try {
    await page.goto(`${proxy.origin}/`, { waitUntil: 'commit' })
    const times = await clickUntilReaction(page)
    await waitForInteraction(page)
    const { entries, timeOrigin, vitals } = await page.evaluate(readPage)
    return { ...times, requests: joinRequests(entries, proxy.takeRequests(), initiators, timeOrigin), vitals }
  } finally {
    proxy.setNetwork(null)
    await page.close()
  }
}

async function followInitiators(devtools: CDPSession): Promise<Initiators> {
  const initiators = new Map<string, string[]>()
  devtools.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const urls = initiator.url === undefined ? [] : [initiator.url]
    for (let stack = initiator.stack; stack; stack = stack.parent) urls.push(...stack.callFrames.map(({ url }) => url))
    initiators.set(pathOf(request.url), urls.filter((url) => url.startsWith('http')).map(pathOf))
  })
  await devtools.send('Network.enable')
  return initiators
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

async function clickUntilReaction(page: Page): Promise<{ shownAt: number; reactedAt: number }> {
  const { at, x, y } = await page.evaluate(() => (globalThis as WatchedPage).watched.shown)
  for (let click = 0; click < CLICKS_MAX; click += 1) {
    const [reactedAt] = await Promise.all([
      page.evaluate(() => (globalThis as WatchedPage).watched.outcome),
      page.mouse.click(x, y),
    ])
    if (reactedAt !== null) return { shownAt: at, reactedAt }
    await page.evaluate(() => (globalThis as WatchedPage).watched.tryAgain())
  }
  throw new Error('The button does not react')
}

/** The library reports no interaction that was too short. */
async function waitForInteraction(page: Page): Promise<void> {
  const reported = () => (globalThis as WatchedPage).watched.vitals.INP !== undefined
  await page.waitForFunction(reported, null, { timeout: VITALS_MS }).catch(() => {})
}

/** Runs in the page. */
function readPage(): { entries: PageEntry[]; timeOrigin: number; vitals: Vitals } {
  const timings = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const inside = [...document.scripts].filter(({ src, type }) => src === '' && type === '').map(({ text }) => text)
  const entries = (timings as PerformanceResourceTiming[]).map((timing) => {
    const { pathname, search } = new URL(timing.name)
    return {
      path: `${pathname}${search}`,
      type: timing.entryType === 'navigation' ? 'navigation' : timing.initiatorType,
      start: timing.startTime,
      firstByte: timing.responseStart,
      end: timing.responseEnd,
      inPage: pathname !== '/' && inside.some((code) => code.includes(pathname)),
    }
  })
  const { vitals } = (globalThis as WatchedPage).watched
  // Entries and elements cannot leave the page.
  return { entries, timeOrigin: performance.timeOrigin, vitals: JSON.parse(JSON.stringify(vitals)) }
}
