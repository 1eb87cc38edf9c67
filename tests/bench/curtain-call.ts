import { execFileSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright'
import { DATABASE } from '#protocol/constants.ts'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { openPerson, SETTLE_MS, shownCall } from './live-call.ts'
import { median } from './median.ts'

/** What the safety curtain costs a call of the built product, and how soon it veils a flagged picture. */

const MEASURE_MS = 15_000
const RATE = 4
const CALLS = 6
const VEILS = 4
/** Looks are rarest after ten seconds. */
const BEFORE_FLAGGED_MS = 12_000

/** By whom the pictures are looked at: a worker that answers at once, the product's own, or nobody. */
type Looks = 'scripted' | 'real' | 'none'
/** Milliseconds since 1970. */
type Times = Record<'clicked' | 'shown' | 'red' | 'veiled', number>
type UiCost = { looks: Looks; ratio: number; on: number; off: number; slowdown: number }

/** Answers the requests of workers/rpc.ts at once; a picture is flagged if it is red. */
const SCRIPTED_WORKER = `
const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
const readers = new Map()
function look(picture) {
  context.drawImage(picture, 0, 0, 1, 1)
  picture.close()
  const [red, green] = context.getImageData(0, 0, 1, 1).data
  const flagged = red > 150 && green < 90
  return { flagged, score: Number(flagged), state: null }
}
const lookAt = async (id) => look((await readers.get(id).read()).value)
const requests = {
  load: () => 50,
  look,
  watch: (id, frames) => void readers.set(id, frames.getReader()),
  unwatch: (id) => readers.get(id)?.cancel(),
  lookAt,
  async keepLooking(routine, forMs) {
    const start = performance.now()
    const due = routine.map(({ inMs }) => inMs)
    const looks = []
    for (;;) {
      const at = Math.min(...due)
      if (at > forMs) return looks
      await new Promise((resolve) => setTimeout(resolve, at - (performance.now() - start)))
      const index = due.indexOf(at)
      const startedMs = performance.now() - start
      const { flagged } = await lookAt(routine[index].id)
      looks.push({ index, startedMs, endedMs: performance.now() - start, flagged, state: null })
      if (flagged) return looks
      due[index] = startedMs + routine[index].everyMs
    }
  },
  interrupt() {},
}
onmessage = async ({ data: { id, argumentList } }) => {
  const [request, ...given] = argumentList ?? []
  if (!request) return
  const value = await requests[request.value.name](...given.map((argument) => argument.value))
  postMessage({ id, type: 'RAW', value: { value, ran: null } })
}`

/** Notes when the page is clicked, when the peer's picture is first shown and is red, and when it is veiled; sends a drawn picture. */
function watch(canLook: boolean): void {
  const times: Partial<Times> = {}
  const note = (what: keyof typeof times) => (times[what] ??= performance.timeOrigin + performance.now())
  // With four cores it is on by itself, without SIMD nothing is looked at.
  Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 4 })
  if (!canLook) WebAssembly.validate = () => false
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 640, height: 480 })
  const picture = canvas.getContext('2d')
  let colour = 'grey'
  setInterval(() => {
    if (!picture) return
    picture.fillStyle = colour
    picture.fillRect(0, 0, 640, 480)
  }, 50)
  const paint = (next: string) => (colour = next)
  const drawn = () => canvas.captureStream(20).getVideoTracks()[0]
  let showed = () => {}
  const isShown = new Promise<void>((resolve) => {
    showed = resolve
  })
  Object.assign(globalThis, { times, paint, drawn, isShown })
  document.addEventListener('click', () => note('clicked'), true)
  const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  function look(video: HTMLVideoElement): void {
    note('shown')
    showed()
    if (!('readsPeer' in globalThis) || times.red) return
    dot?.drawImage(video, 0, 0, 1, 1)
    const [red = 0, green = 0] = dot?.getImageData(0, 0, 1, 1).data ?? []
    if (red > 150 && green < 90) note('red')
    video.requestVideoFrameCallback(() => look(video))
  }
  function find(): void {
    const video = document.querySelector<HTMLVideoElement>('video[aria-label="Peer video"]')
    if (!video) return void requestAnimationFrame(find)
    video.requestVideoFrameCallback(() => look(video))
    new MutationObserver(() => document.querySelector('[data-veiled]') && note('veiled')).observe(document.body, {
      subtree: true,
      attributeFilter: ['data-veiled'],
    })
  }
  requestAnimationFrame(find)
}

const READS_PEER = 'globalThis.readsPeer = true'
const SENDS_DRAWN = `
const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await open(wanted)
  for (const track of stream.getVideoTracks()) { stream.removeTrack(track); stream.addTrack(drawn()) }
  return stream
}`

/** Switches the curtain on, so that a first look that is slow once does not switch it off. */
function chooseCurtain({ name, store }: typeof DATABASE): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(store)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const writing = opening.result.transaction(store, 'readwrite')
      writing.objectStore(store).put('on', 'curtain')
      writing.oncomplete = () => resolve()
    }
  })
}

let people = 0

async function person(browser: Browser, origin: string, looks: Looks, more = ''): Promise<Page> {
  people += 1
  const script = `const __name = (value) => value;(${watch})(${looks !== 'none'});${more}`
  const page = await openPerson(browser, origin, `person${people}`, script)
  if (looks === 'real') {
    await page.evaluate(chooseCurtain, DATABASE)
    await page.reload()
  }
  if (looks === 'scripted')
    await page.context().route('**/curtain.worker-*.js', (route) => {
      return route.fulfill({ contentType: 'text/javascript', body: SCRIPTED_WORKER })
    })
  return page
}

/** Lets the two call each other; resolves with the times when both show a picture. */
async function call(pages: Page[]): Promise<Times[]> {
  for (const page of pages) await page.getByRole('button', { name: 'Start video chat' }).click()
  return Promise.all(pages.map((page) => page.evaluate<Times>('isShown.then(() => times)')))
}

async function end(pages: Page[]): Promise<void> {
  for (const page of pages) await page.context().close()
}

/** The two sides of one call at the same time, one with the curtain; once on the side of each. */
async function uiCost(browser: Browser, origin: string, looks: Looks): Promise<UiCost> {
  const sums = { on: 0, off: 0 }
  const slowdowns: number[] = []
  for (const first of [looks, 'none'] as const) {
    const pages: Page[] = []
    for (const each of first === 'none' ? (['none', looks] as const) : ([looks, 'none'] as const))
      pages.push(await person(browser, origin, each))
    await call(pages)
    const sides = await Promise.all(pages.map(shownCall))
    for (const { thread } of sides) slowdowns.push(await thread.slowDown(RATE))
    for (const { thread } of sides) await thread.tidyUp()
    await pages[0]?.waitForTimeout(SETTLE_MS)
    const workers = pages.map((page) => page.workers().some((worker) => worker.url().includes('curtain.worker')))
    if (workers.join() !== [first !== 'none', first === 'none'].join()) throw new Error(`Curtains: ${workers}`)
    const before = await Promise.all(sides.map(({ thread }) => thread.spent()))
    await pages[0]?.waitForTimeout(MEASURE_MS)
    const after = await Promise.all(sides.map(({ thread }) => thread.spent()))
    const [a = 0, b = 0] = after.map((value, side) => ((value - (before[side] ?? 0)) * 1_000) / MEASURE_MS / 2)
    sums.on += first === 'none' ? b : a
    sums.off += first === 'none' ? a : b
    await end(pages)
  }
  return { looks, ratio: sums.on / sums.off, ...sums, slowdown: median(slowdowns) }
}

/** Milliseconds from the click that makes the match to the moment when both sides show a picture. */
async function firstFrame(browser: Browser, origin: string, looks: Looks): Promise<number> {
  const pages = [await person(browser, origin, looks), await person(browser, origin, looks)]
  const [waiting, second] = await call(pages)
  await end(pages)
  if (!waiting || !second) throw new Error('No times')
  return Math.max(waiting.shown, second.shown) - second.clicked
}

/** Milliseconds from the first frame of a flagged picture that is shown to the veil. */
async function timeToVeil(browser: Browser, origin: string, phase: number): Promise<number> {
  const pages = [
    await person(browser, origin, 'scripted', READS_PEER),
    await person(browser, origin, 'none', SENDS_DRAWN),
  ]
  await call(pages)
  const [sees, sends] = pages
  if (!sees || !sends) throw new Error('No pages')
  await sees.waitForTimeout(BEFORE_FLAGGED_MS + phase)
  await sends.evaluate("paint('red')")
  await sees.locator('[data-veiled]').waitFor({ state: 'attached' })
  const { red, veiled } = await sees.evaluate<Times>('times')
  await end(pages)
  return veiled - red
}

export async function benchCurtainCall() {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const server = await startServerProcess()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const costs: UiCost[] = []
    for (const looks of ['scripted', 'real'] as const) costs.push(await uiCost(browser, server.url, looks))
    const frames = { on: [] as number[], off: [] as number[] }
    for (let pair = 0; pair < CALLS; pair += 1) {
      for (const side of pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
        frames[side].push(await firstFrame(browser, server.url, side === 'on' ? 'real' : 'none'))
    }
    const veils: number[] = []
    for (let trial = 0; trial < VEILS; trial += 1)
      veils.push(await timeToVeil(browser, server.url, (trial * 1_000) / VEILS))
    return { costs, on: median(frames.on), off: median(frames.off), veils }
  } finally {
    await browser.close()
    await server.stop()
  }
}
