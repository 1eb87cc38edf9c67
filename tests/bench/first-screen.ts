import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { startServer } from '../support/servers/server.ts'
import { median } from './median.ts'
import { uiThreadOf } from './ui-thread.ts'

const PAIRS = 15
/** A phone on a slow mobile network, by the browser's own throttling: bytes a second, and milliseconds there and back. */
const NETWORK = { offline: false, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8, latency: 150 }
const PHONE = { width: 390, height: 844 }
const SLOW = 4
/** A page is started when its thread has had nothing to do for a while. */
const SETTLE_MS = 1_500

type Compared = { ours: number; other: number; ratio: number }
type Site = { origin: string; stop(): Promise<void> }

/** The landing page's largest paint in ms on a slow phone, against the same HTML and CSS without any script. */
export async function benchLandingPaint(): Promise<Compared> {
  buildProduct()
  const folder = withoutScripts()
  const sites = [await startServer({}, { dist: resolve('dist') }), await startServer({}, { dist: folder })] as const
  try {
    return await compare(sites, largestPaint)
  } finally {
    for (const site of sites) await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * UI-thread milliseconds from the start of the landing page until it rests, at 4x, against the smallest page of the same stack. The
 * API does not respond, so that no other screen follows.
 */
export async function benchBoot(): Promise<Compared> {
  buildProduct()
  const folder = mkdtempSync(join(tmpdir(), 'waggle-floor-'))
  await build({
    root: 'tests/bench/floor',
    configFile: false,
    plugins: [react()],
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  // Where the server looks for pages.
  const pages = join(folder, '.pages', 'en')
  mkdirSync(pages, { recursive: true })
  for (const name of ['index.html', 'shell.html']) cpSync(join(folder, 'index.html'), join(pages, name))
  const sites = [await startServer({}, { dist: resolve('dist') }), await startServer({}, { dist: folder })] as const
  try {
    return await compare(sites, bootTime)
  } finally {
    for (const site of sites) await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildProduct(): void {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
}

/** A copy of the build whose pages are nothing but HTML and CSS. */
function withoutScripts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-static-'))
  cpSync('dist', folder, { recursive: true })
  const pages = readdirSync(join(folder, '.pages'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  for (const name of pages) {
    const path = join(folder, '.pages', name)
    const html = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      html
        .replaceAll(/<script(?: type="module".*?)?>.*?<\/script>/gs, '')
        .replaceAll(/<link rel="modulepreload".*?>/g, ''),
    )
  }
  return folder
}

async function compare(
  [ours, other]: readonly [Site, Site],
  measure: (browser: Browser, origin: string) => Promise<number>,
): Promise<Compared> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const costs: [number[], number[]] = [[], []]
    for (let pair = 0; pair < PAIRS; pair += 1) {
      costs[0].push(await measure(browser, ours.origin))
      costs[1].push(await measure(browser, other.origin))
    }
    const [first, second] = [median(costs[0]), median(costs[1])]
    return { ours: first, other: second, ratio: first / second }
  } finally {
    await browser.close()
  }
}

/** A phone on its first visit, to which the API does not respond. */
async function newPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, serviceWorkers: 'block' })
  await context.route('**/api/**', () => {})
  return context.newPage()
}

async function largestPaint(browser: Browser, origin: string): Promise<number> {
  const page = await newPhone(browser)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW })
  await page.goto(origin, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)
  const paint = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0))
        observer.observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  await page.context().close()
  return paint
}

async function bootTime(browser: Browser, origin: string): Promise<number> {
  const page = await newPhone(browser)
  await page.goto(`${origin}/healthz`)
  const thread = await uiThreadOf(page)
  await thread.slowDown(SLOW)
  const before = await thread.spent()
  await page.goto(origin, { waitUntil: 'load' })
  // A wrong page, such as a 404, would cost next to nothing and spoil the ratio.
  await page.locator('#root > *').first().waitFor({ state: 'attached' })
  await page.waitForTimeout(SETTLE_MS)
  const after = await thread.spent()
  // Where the browser has given the page a process of its own, the count began with it.
  const spent = after < before ? after : after - before
  await page.context().close()
  return spent
}
