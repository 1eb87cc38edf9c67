import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { build, type Plugin } from 'vite'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { compressFiles } from '../../scripts/compress-files.ts'
import { prerenderPages } from '../../scripts/prerender.ts'
import { buildServiceWorker } from '../../scripts/service-worker.ts'
import { signIn, startServer } from '../support/servers/server.ts'
import { median } from './median.ts'
import { type UiThread, uiThreadOf } from './ui-thread.ts'

/** `floor` is a build whose `span` is empty; `off` is the product as everybody has it. */
const profilingModes = ['floor', 'off', 'page', 'trace'] as const
type Mode = (typeof profilingModes)[number]
/** Milliseconds of the UI threads of both people: from the press to both first frames, and a second of the call. */
type Cost = { match: number; call: number }
type Site = { origin: string; path: string; stop(): Promise<void> }
type Person = { page: Page; thread: UiThread }

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** The countdown of the first seconds is over. */
const SETTLE_MS = 12_000
const MEASURE_MS = 15_000
const SECOND_MS = 1_000

/** What the tools for developers cost, in rounds that take turns: the medians, and their ratios against a build without spans. */
export async function benchProfilingCost(): Promise<Record<Mode, Cost>> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const floorFolder = await buildFloor()
  const product = resolve('dist')
  const sites: Record<Mode, Site> = {
    floor: await openSite(floorFolder, 'off', '/'),
    off: await openSite(product, 'off', '/'),
    page: await openSite(product, 'on', '/'),
    trace: await openSite(product, 'off', '/?trace'),
  }
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  const costs: Record<Mode, Cost[]> = { floor: [], off: [], page: [], trace: [] }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Another one begins each round: the first call may find a colder machine.
      for (const [index] of profilingModes.entries()) {
        const mode = profilingModes[(index + round) % profilingModes.length] ?? 'floor'
        costs[mode].push(await measureCall(browser, sites[mode], mode, round))
      }
    }
  } finally {
    await browser.close()
    for (const mode of profilingModes) await sites[mode].stop()
    rmSync(floorFolder, { recursive: true, force: true })
  }
  const middle = (mode: Mode): Cost => ({
    match: median(costs[mode].map(({ match }) => match)),
    call: median(costs[mode].map(({ call }) => call)),
  })
  return { floor: middle('floor'), off: middle('off'), page: middle('page'), trace: middle('trace') }
}

/** As scripts/build.ts, into another folder. */
async function buildFloor(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'waggle-without-spans-'))
  await build({ logLevel: 'error', plugins: [emptySpan()], build: { outDir, emptyOutDir: true } })
  await prerenderPages(outDir)
  await buildServiceWorker(outDir)
  await compressFiles(outDir)
  return outDir
}

/** The page draws and tells no span. */
function emptySpan(): Plugin {
  return {
    name: 'empty-span',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/workers/trace.ts')) return null
      const code = readFileSync(id, 'utf8')
      const emptied = code.replace(/export function span\([\s\S]*?\n\}\n/, 'export function span(): void {}\n')
      if (emptied === code) throw new Error('workers/trace.ts has no function span')
      return emptied
    },
  }
}

async function openSite(dist: string, profilePage: 'on' | 'off', path: string): Promise<Site> {
  const server = await startServer({ PROFILE_PAGE: profilePage }, { dist })
  return { origin: server.origin, path, stop: async () => void (await server.stop()) }
}

async function measureCall(browser: Browser, site: Site, mode: Mode, round: number): Promise<Cost> {
  const people = [await enter(browser, site, mode, `ada${round}`), await enter(browser, site, mode, `bela${round}`)]
  const spent = async () => {
    const each = await Promise.all(people.map(({ thread }) => thread.spent()))
    return each.reduce((sum, ms) => sum + ms, 0)
  }
  try {
    for (const { thread } of people) await thread.tidyUp()
    const pressed = await spent()
    for (const { page } of people) await page.getByRole('button', { name: 'Start video chat' }).click()
    await Promise.all(people.map(({ page }) => firstFrame(page)))
    const shown = await spent()
    await new Promise((passed) => setTimeout(passed, SETTLE_MS))
    const before = await spent()
    await new Promise((passed) => setTimeout(passed, MEASURE_MS))
    return { match: shown - pressed, call: (((await spent()) - before) * SECOND_MS) / MEASURE_MS }
  } finally {
    for (const { page } of people) await page.context().close()
  }
}

async function enter(browser: Browser, { origin, path }: Site, mode: Mode, name: string): Promise<Person> {
  const context = await browser.newContext({ baseURL: origin, permissions: ['camera', 'microphone'] })
  const { cookies } = await signIn({ origin }, { email: `${name}@example.org` })
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: origin })))
  const page = await context.newPage()
  await page.goto(path)
  await page.getByRole('button', { name: 'Start video chat' }).waitFor()
  // The recorder comes when the page is idle.
  if (mode === 'page') await page.waitForFunction(() => RTCPeerConnection.toString().includes('extends'))
  return { page, thread: await uiThreadOf(page) }
}

async function firstFrame(page: Page): Promise<void> {
  const video = page.getByLabel('Peer video')
  await video.waitFor()
  await video.evaluate((element: HTMLVideoElement) => new Promise((drawn) => element.requestVideoFrameCallback(drawn)))
}
