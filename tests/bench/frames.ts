import { chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { openBenchSite } from './bench-site.ts'
import { median } from './median.ts'
import { type UiThread, uiThreadOf } from './ui-thread.ts'

const SIZES = [
  { width: 640, height: 480 },
  { width: 1280, height: 720 },
]
const ROUNDS = 15
const CAPTURES = 8
/** So far apart that one is done before the next, also the naive one at the slowest. */
const APART_MS = 80

type Way = 'ours' | 'naive' | 'nothing'
/** Medians of UI-thread milliseconds per captured frame. `slowdown` is the slowdown that `rate` really caused. */
export type FrameCost = {
  size: string
  rate: number
  slowdown: number
  ours: number
  naive: number
  ratio: number
}

/** UI-thread time of a captured frame against drawImage and toBlob, at full speed and slowed down. */
export async function benchFrames(): Promise<FrameCost[]> {
  const site = await openBenchSite('tests/bench/frames-page')
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const page = await (await browser.newContext({ permissions: ['camera'] })).newPage()
    await page.goto(site.url)
    const thread = await uiThreadOf(page)
    const costs: FrameCost[] = []
    for (const size of SIZES) {
      await page.evaluate(`open(${size.width}, ${size.height})`)
      for (const rate of [1, 4]) costs.push(await measure(page, thread, `${size.width}x${size.height}`, rate))
    }
    return costs
  } finally {
    await browser.close()
    await site.close()
  }
}

async function measure(page: Page, thread: UiThread, size: string, rate: number): Promise<FrameCost> {
  const slowdown = await thread.slowDown(rate)
  async function block(way: Way): Promise<number> {
    const before = await thread.spent()
    await page.evaluate(`capture('${way}', ${CAPTURES}, ${APART_MS})`)
    return (await thread.spent()) - before
  }
  // The first captures start workers and warm caches.
  for (const way of ['ours', 'naive'] as const) await block(way)
  const costs: Record<'ours' | 'naive', number[]> = { ours: [], naive: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    // What the page costs anyway, its timers and its playing video, is no part of a capture.
    const idle = await block('nothing')
    for (const way of round % 2 === 0 ? (['ours', 'naive'] as const) : (['naive', 'ours'] as const)) {
      costs[way].push(((await block(way)) - idle) / CAPTURES)
    }
  }
  await thread.slowDown(1)
  const [ours, naive] = [median(costs.ours), median(costs.naive)]
  const ratio = median(costs.ours.map((cost, round) => cost / (costs.naive[round] ?? cost)))
  return { size, rate, slowdown, ours, naive, ratio }
}
