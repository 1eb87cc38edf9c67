import { type Browser, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { median } from './median.ts'

const PAIRS = 15
const ENOUGH_PAIRS = 5
const TIME_LIMIT_MS = 30_000
/** Localhost is a secure context, which the camera needs; nothing listens there, the page is handed in. */
const PAGE_URL = 'http://localhost/'

/**
 * Medians in milliseconds of two ways to make a call, which are expressions of the page in call-page/main.ts. `rate` slows its
 * thread down.
 */
export async function compareCalls(
  first: string,
  second: string,
  rate = 1,
): Promise<{ first: number; second: number; ratio: number }> {
  const script = await bundleCallPage()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const page = await openCallPage(browser, script)
    await slowDown(page, rate)
    return await measure(page, [first, second])
  } finally {
    await browser.close()
  }
}

/** The script of call-page, for a page of its own in any browser. */
export async function bundleCallPage(): Promise<string> {
  const built = await build({
    configFile: false,
    root: 'tests/bench/call-page',
    logLevel: 'error',
    build: { write: false, lib: { entry: 'main.ts', formats: ['iife'], name: 'callPage' } },
  })
  const outputs = Array.isArray(built) ? built : [built]
  for (const result of outputs) {
    const chunk = 'output' in result && result.output.find(({ type }) => type === 'chunk')
    if (chunk && chunk.type === 'chunk') return chunk.code
  }
  throw new Error('The page of the call was not built')
}

export async function openCallPage(browser: Browser, script: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
  await page.route(PAGE_URL, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }))
  await page.goto(PAGE_URL)
  await page.addScriptTag({ content: script })
  return page
}

export async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

async function measure(page: Page, ways: [string, string]): Promise<{ first: number; second: number; ratio: number }> {
  const times: [number[], number[]] = [[], []]
  const take = async (way: 0 | 1) => void times[way].push(await page.evaluate<number>(ways[way]))
  // The first call of a browser pays for what all later ones share.
  for (const way of ways) await page.evaluate(way)
  const end = performance.now() + TIME_LIMIT_MS
  for (let pair = 0; pair < PAIRS && performance.now() < end; pair += 1) {
    for (const way of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) await take(way)
  }
  if (times[1].length < ENOUGH_PAIRS) throw new Error(`Only ${times[1].length} pairs of calls in ${TIME_LIMIT_MS} ms`)
  const [first, second] = [median(times[0]), median(times[1])]
  return { first, second, ratio: first / second }
}
