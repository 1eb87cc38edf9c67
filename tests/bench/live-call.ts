import { execFileSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { signIn } from '../support/servers/server.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { type UiThread, uiThreadOf } from './ui-thread.ts'

export const SETTLE_MS = 12_000
const MEASURE_MS = 20_000
const PERMISSIONS = ['camera', 'microphone']

/** UI-thread milliseconds a second. `slowdown` is the slowdown that `rate` really caused. */
type CallCost = { rate: number; slowdown: number; ours: number; bare: number; ratio: number }

export type Measured = { page: Page; thread: UiThread }

/** A call that goes on, in the built product against a page with two videos and a bare peer connection; both at the same time. */
export async function benchLiveCall(): Promise<CallCost[]> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const server = await startServerProcess()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const people: Page[] = []
    for (const name of ['ada', 'bela']) people.push(await enterCall(browser, server.url, name))
    const [ours] = await Promise.all(people.map(shownCall))
    if (!ours) throw new Error('There is no call')
    const bare = await openBareCall(browser, server.url, ours.page)
    const costs: CallCost[] = []
    for (const rate of [1, 4]) costs.push(await measure(ours, bare, rate))
    return costs
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function enterCall(browser: Browser, origin: string, name: string): Promise<Page> {
  const page = await openPerson(browser, origin, name)
  await page.getByRole('button', { name: 'Start video chat' }).click()
  return page
}

/** The page of a user who is signed in and has not started yet. `script` runs before the page's own. */
export async function openPerson(browser: Browser, origin: string, name: string, script = ''): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, permissions: PERMISSIONS })
  const { cookies } = await signIn({ origin }, { email: `${name}@example.org` })
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: origin })))
  const page = await context.newPage()
  await page.addInitScript(script)
  await page.goto('/')
  return page
}

/** Resolves when the peer's picture is shown. */
export async function shownCall(page: Page): Promise<Measured> {
  const video = page.getByLabel('Peer video')
  await video.waitFor()
  await video.evaluate(
    (element: HTMLVideoElement) => new Promise((resolve) => element.requestVideoFrameCallback(resolve)),
  )
  return { page, thread: await uiThreadOf(page) }
}

/** Two pages that call each other, the first of which shows both pictures in the sizes that the product's page shows them. */
async function openBareCall(browser: Browser, origin: string, product: Page): Promise<Measured> {
  const sizes: string[] = []
  for (const label of ['Peer video', 'My video']) {
    const box = await product.getByLabel(label).boundingBox()
    sizes.push(`width:${box?.width ?? 640}px;height:${box?.height ?? 480}px;object-fit:cover`)
  }
  const pages: Page[] = []
  for (const [index, own] of [sizes, ['width:64px', 'width:64px']].entries()) {
    const page = await (await browser.newContext({ baseURL: origin, permissions: PERMISSIONS })).newPage()
    const videos = own.map((style) => `<video style="${style}" autoplay playsinline muted></video>`).join('')
    await page.route('/bare', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Bare ${index}</title>${videos}` }),
    )
    await page.exposeFunction('sendToPeer', (message: unknown) => pages[1 - index]?.evaluate(receive, message))
    await page.goto('/bare')
    pages.push(page)
  }
  for (const page of pages) await page.evaluate(openBare)
  await pages[0]?.evaluate('offer()')
  const [page] = pages
  if (!page) throw new Error('There is no page for the bare call')
  await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
  return { page, thread: await uiThreadOf(page) }
}

type BarePage = typeof globalThis & {
  connection: RTCPeerConnection
  sendToPeer(message: unknown): Promise<void>
  received(message: { description?: RTCSessionDescriptionInit; candidate?: RTCIceCandidateInit }): Promise<void>
}

function receive(message: unknown): Promise<void> {
  return (globalThis as BarePage).received(message as Parameters<BarePage['received']>[0])
}

async function openBare(): Promise<void> {
  const page = globalThis as BarePage
  const local = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 }, audio: true })
  const connection = new RTCPeerConnection()
  const [peer, own] = document.querySelectorAll('video')
  if (own) own.srcObject = local
  connection.ontrack = ({ streams: [stream] }) => {
    if (peer && stream) peer.srcObject = stream
  }
  connection.onicecandidate = ({ candidate }) => {
    if (candidate) void page.sendToPeer({ candidate: candidate.toJSON() })
  }
  for (const track of local.getTracks()) connection.addTrack(track, local)
  async function negotiate(): Promise<void> {
    await connection.setLocalDescription()
    await page.sendToPeer({ description: connection.localDescription?.toJSON() })
  }
  Object.assign(page, {
    offer: negotiate,
    async received({ description, candidate }: Parameters<BarePage['received']>[0]) {
      if (candidate) await connection.addIceCandidate(candidate)
      if (!description) return
      await connection.setRemoteDescription(description)
      if (description.type === 'offer') await negotiate()
    },
  })
}

async function measure(ours: Measured, bare: Measured, rate: number): Promise<CallCost> {
  const slowdown = await ours.thread.slowDown(rate)
  await bare.thread.slowDown(rate)
  for (const { thread } of [ours, bare]) await thread.tidyUp()
  // The first seconds of a call count down.
  await ours.page.waitForTimeout(SETTLE_MS)
  const spent = () => Promise.all([ours.thread.spent(), bare.thread.spent()])
  const before = await spent()
  await ours.page.waitForTimeout(MEASURE_MS)
  const after = await spent()
  const [product, plain] = [0, 1].map((side) => (((after[side] ?? 0) - (before[side] ?? 0)) * 1_000) / MEASURE_MS)
  if (!product || !plain) throw new Error('A page returned no measurement')
  return { rate, slowdown, ours: product, bare: plain, ratio: product / plain }
}
