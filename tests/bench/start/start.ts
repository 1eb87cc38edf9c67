import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { build } from 'vite'
import { chromiumArgs, chromiumPath } from '../../../scripts/chromium.ts'
import { compressFiles } from '../../../scripts/compress-files.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { median } from '../median.ts'
import { type SlowProxy, startSlowProxy } from './slow-proxy.ts'
import { measureStart, PHONE, type StartVisit } from './start-visit.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** For what a page does in idle moments after its start, and for the cache of its service worker. */
const SETTLE_MS = 5_000
const START = '^Start'
const SIGN_IN = '^Sign in with'

type Site = { proxy: SlowProxy; serverOrigin: string; stop(): Promise<void> }
export type StartVisits = { visits: StartVisit[]; reactedAt: number; ratio: number }
export type StartBench = { floor: StartVisits; first: StartVisits; back: StartVisits }

/**
 * Milliseconds from the navigation until a button reacts, on a slow phone: of a first visit to a sign-in button, and of the next visit of
 * somebody who is signed in to the Start button, against the first visit to the smallest page of the same stack that asks one API request.
 */
export async function benchStart(): Promise<StartBench> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const floorFolder = await buildFloor()
  const [ours, floor] = [await openSite(resolve('dist')), await openSite(floorFolder)]
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  const visits = { floor: [] as StartVisit[], first: [] as StartVisit[], back: [] as StartVisit[] }
  try {
    // The first visits to a server wait for the compression of its pages.
    for (const [site, button] of [
      [floor, START],
      [ours, SIGN_IN],
    ] as const)
      await firstVisit(browser, site, button)
    for (let round = 0; round < ROUNDS; round += 1) {
      visits.floor.push(await firstVisit(browser, floor, START))
      visits.first.push(await firstVisit(browser, ours, SIGN_IN))
      visits.back.push(await nextVisit(browser, ours, `ada${round}@example.org`))
    }
  } finally {
    await browser.close()
    for (const site of [ours, floor]) await site.stop()
    rmSync(floorFolder, { recursive: true, force: true })
  }
  const limit = median(visits.floor.map(({ reactedAt }) => reactedAt))
  const sum = (all: StartVisit[]): StartVisits => {
    const reactedAt = median(all.map((visit) => visit.reactedAt))
    return { visits: all, reactedAt, ratio: reactedAt / limit }
  }
  return { floor: sum(visits.floor), first: sum(visits.first), back: sum(visits.back) }
}

/** Resolves with a folder like that of the product's build. */
async function buildFloor(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waggle-start-floor-'))
  await build({
    root: 'tests/bench/start-floor',
    configFile: false,
    plugins: [react()],
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  // Where the server looks for pages.
  const pages = join(folder, '.pages', 'en')
  mkdirSync(pages, { recursive: true })
  for (const name of ['index.html', 'shell.html']) cpSync(join(folder, 'index.html'), join(pages, name))
  await compressFiles(folder)
  return folder
}

/** The product's server with the pages of this folder, behind a network of its own. */
async function openSite(dist: string): Promise<Site> {
  const proxy = await startSlowProxy()
  const server = await startServer({ ALLOWED_ORIGINS: proxy.origin }, { dist })
  proxy.forwardTo(server.port)
  return {
    proxy,
    serverOrigin: server.origin,
    async stop() {
      await proxy.close()
      await server.stop()
    },
  }
}

async function newPhone(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ ...PHONE, permissions: ['camera', 'microphone'] })
  // The sign-in popup, which would cover the page.
  context.on('page', async (page) => {
    if (await page.opener()) await page.close()
  })
  return context
}

async function firstVisit(browser: Browser, { proxy }: Site, button: string): Promise<StartVisit> {
  const context = await newPhone(browser)
  try {
    return await measureStart(context, proxy, button)
  } finally {
    await context.close()
  }
}

/** The visit of somebody whose last one filled the caches and was so long ago that the access token has expired. */
async function nextVisit(browser: Browser, { proxy, serverOrigin }: Site, email: string): Promise<StartVisit> {
  const context = await newPhone(browser)
  try {
    const { cookies } = await signIn({ origin: serverOrigin }, { email })
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: proxy.origin })))
    const page = await context.newPage()
    await page.goto(`${proxy.origin}/`)
    await page.getByRole('button', { name: 'Start video chat' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
    await page.waitForTimeout(SETTLE_MS)
    await page.close()
    await context.clearCookies({ name: 'access' })
    return await measureStart(context, proxy, START)
  } finally {
    await context.close()
  }
}
