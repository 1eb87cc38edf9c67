import { chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { openBenchSite } from './bench-site.ts'
import { residentBytes } from './footprint.ts'
import { median } from './median.ts'
import { type UiThread, uiThreadOf } from './ui-thread.ts'

const ROUNDS = 10
const CALLS = 50
const STARTS = 9

/** UI-thread milliseconds of one request. `slowdown` is the slowdown that `rate` really caused. */
type CallCost = { rate: number; slowdown: number; api: number; chat: number }
/** Milliseconds to the first response; bytes that both workers together add to the page's process. */
type WorkerCost = { calls: CallCost[]; network: number; media: number; memory: number }

/** Measures what requests to the two workers cost the UI thread, and what the workers cost. */
export async function benchWorkerCalls(): Promise<WorkerCost> {
  const site = await openBenchSite('tests/bench/workers-page')
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const page = await browser.newPage()
    await page.goto(site.url)
    const thread = await uiThreadOf(page)
    const before = await residentBytes(browser)
    await page.evaluate(`repeat('api', 1).then(() => repeat('chat', 1))`)
    const memory = (await residentBytes(browser)) - before
    const calls: CallCost[] = []
    for (const rate of [1, 4]) calls.push(await measure(page, thread, rate))
    const starts: Record<'network' | 'media', number[]> = { network: [], media: [] }
    for (let time = 0; time < STARTS; time += 1)
      for (const kind of ['network', 'media'] as const)
        starts[kind].push(await page.evaluate<number>(`startUp('${kind}')`))
    return { calls, network: median(starts.network), media: median(starts.media), memory }
  } finally {
    await browser.close()
    await site.close()
  }
}

async function measure(page: Page, thread: UiThread, rate: number): Promise<CallCost> {
  const slowdown = await thread.slowDown(rate)
  async function block(kind: 'api' | 'chat' | 'nothing'): Promise<number> {
    const before = await thread.spent()
    await page.evaluate(`repeat('${kind}', ${CALLS})`)
    return ((await thread.spent()) - before) / CALLS
  }
  const costs: Record<'api' | 'chat', number[]> = { api: [], chat: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const idle = await block('nothing')
    for (const kind of ['api', 'chat'] as const) {
      const cost = (await block(kind)) - idle
      // The first round only warms up.
      if (round > 0) costs[kind].push(cost)
    }
  }
  await thread.slowDown(1)
  return { rate, slowdown, api: median(costs.api), chat: median(costs.chat) }
}
