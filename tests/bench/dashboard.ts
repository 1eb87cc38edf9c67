import { execFileSync } from 'node:child_process'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { MINUTE_MS } from '#protocol/durations.ts'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { signIn } from '../support/servers/server.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { type UiThread, uiThreadOf } from './ui-thread.ts'

/** For what a page puts off until it has nothing else to do. */
const SETTLE_MS = 10_000

/** UI-thread milliseconds a second. `slowdown` is the slowdown that `rate` really caused. */
export type DashboardCost = { rate: number; slowdown: number; dashboard: number; idle: number; ratio: number }

type Measured = { page: Page; thread: UiThread }

/**
 * A minute on the dashboard of the built product, signed in, with its frames, polling and log lines, against a page
 * that shows the same camera in the same size and does nothing. Both live at the same time.
 */
export async function benchDashboard(): Promise<DashboardCost[]> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const server = await startServerProcess()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  const newContext = () => browser.newContext({ baseURL: server.url, permissions: ['camera', 'microphone'] })
  try {
    const dashboard = await openDashboard(await newContext(), server.url)
    const idle = await openIdle(await newContext(), dashboard.page)
    const costs: DashboardCost[] = []
    for (const rate of [1, 4]) costs.push(await measure(dashboard, idle, rate))
    return costs
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function openDashboard(context: BrowserContext, origin: string): Promise<Measured> {
  const { cookies } = await signIn({ origin }, { email: 'ada@example.org' })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })))
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Start video chat' }).waitFor()
  return { page, thread: await uiThreadOf(page) }
}

/** A page with nothing but a video of the camera, opened as the dashboard opened it and as large as there. */
async function openIdle(context: BrowserContext, dashboard: Page): Promise<Measured> {
  const preview = dashboard.getByLabel('My video')
  const box = await preview.boundingBox()
  const size = await preview.evaluate((video: HTMLVideoElement) => ({
    width: video.videoWidth,
    height: video.videoHeight,
  }))
  if (!box) throw new Error('The dashboard shows no camera')
  const page = await context.newPage()
  const style = `width: ${box.width}px; height: ${box.height}px; object-fit: cover; transform: scaleX(-1)`
  const body = `<!doctype html><title>Idle</title><video style="${style}" autoplay playsinline muted></video>`
  await page.route('/idle', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/idle')
  await page.evaluate(async ({ width, height }) => {
    const video = document.querySelector('video')
    const stream = await navigator.mediaDevices.getUserMedia({ video: { width, height }, audio: true })
    if (video) video.srcObject = stream
    await new Promise((resolve) => video?.requestVideoFrameCallback(resolve))
  }, size)
  return { page, thread: await uiThreadOf(page) }
}

async function measure(dashboard: Measured, idle: Measured, rate: number): Promise<DashboardCost> {
  const slowdown = await dashboard.thread.slowDown(rate)
  await idle.thread.slowDown(rate)
  const spent = () => Promise.all([dashboard.thread.spent(), idle.thread.spent()])
  for (const { thread } of [dashboard, idle]) await thread.tidyUp()
  await dashboard.page.waitForTimeout(SETTLE_MS)
  const before = await spent()
  await dashboard.page.waitForTimeout(MINUTE_MS)
  const after = await spent()
  const [ours, bare] = [0, 1].map((side) => (((after[side] ?? 0) - (before[side] ?? 0)) * 1_000) / MINUTE_MS)
  if (!ours || !bare) throw new Error('A page returned no measurement')
  return { rate, slowdown, dashboard: ours, idle: bare, ratio: ours / bare }
}
