import { type Browser, chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { bundleCallPage, openCallPage } from './call-pairs.ts'
import { residentBytes } from './footprint.ts'
import { median } from './median.ts'

const FRESH_PAIRS = 7
const CALLS = 50
const FIRST_CALLS = 10
const RESTARTS = 10

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
}

/** The first call of a fresh browser: ours, prepared while searching, against a page that thinks of nothing ahead. */
export async function benchFirstMatch(): Promise<{ ours: number; naive: number; ratio: number }> {
  const script = await bundleCallPage()
  const times: Record<'ours' | 'naive', number[]> = { ours: [], naive: [] }
  for (let pair = 0; pair < FRESH_PAIRS; pair += 1) {
    for (const way of pair % 2 === 0 ? (['ours', 'naive'] as const) : (['naive', 'ours'] as const)) {
      const browser = await launch()
      const page = await openCallPage(browser, script)
      // As the dashboard does, long before the match.
      if (way === 'ours') await page.evaluate('warmUp()')
      times[way].push(await page.evaluate<number>(way === 'ours' ? 'measureOurs()' : 'measureNaive()'))
      await browser.close()
    }
  }
  const [ours, naive] = [median(times.ours), median(times.naive)]
  return { ours, naive, ratio: ours / naive }
}

export type Left = { connections: number; heap: number; memory: number }

/** What fifty calls leave behind: live connections, and heap and process memory against what they were after ten. */
export async function benchFiftyCalls(): Promise<Left> {
  const browser = await launch()
  try {
    const page = await openCallPage(browser, await bundleCallPage())
    await page.evaluate('openCamera()')
    for (let call = 0; call < FIRST_CALLS; call += 1) await page.evaluate('measureOurs()')
    const before = await footprint(browser, page)
    for (let call = FIRST_CALLS; call < CALLS; call += 1) await page.evaluate('measureOurs()')
    const after = await footprint(browser, page)
    return {
      connections: after.connections,
      heap: after.heap / before.heap,
      memory: after.memory / before.memory,
    }
  } finally {
    await browser.close()
  }
}

/** Milliseconds from an ICE restart to the next picture. */
export async function benchIceRestart(): Promise<number> {
  const browser = await launch()
  try {
    const page = await openCallPage(browser, await bundleCallPage())
    const times: number[] = []
    for (let count = 0; count < RESTARTS; count += 1) times.push(await page.evaluate<number>('measureRestart()'))
    return median(times)
  } finally {
    await browser.close()
  }
}

async function footprint(browser: Browser, page: Page): Promise<Left> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  for (let times = 0; times < 3; times += 1) await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  await devtools.detach()
  return {
    connections: metric('RTCPeerConnections'),
    heap: metric('JSHeapUsedSize'),
    memory: await residentBytes(browser),
  }
}
