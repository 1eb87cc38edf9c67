import { type Browser, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'

const PAIRS = 15
const ENOUGH_PAIRS = 5
const TIME_LIMIT_MS = 30_000
/** Localhost is a secure context, which the camera needs; nothing listens there, the page is handed in. */
const PAGE_URL = 'http://localhost/'

/** Match event to both first remote frames, camera open: ours against two bare connections, in milliseconds. */
export async function benchCallSetup(): Promise<{ ours: number; bare: number; ratio: number }> {
  const script = await bundle()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    return await measure(await openPage(browser, script))
  } finally {
    await browser.close()
  }
}

async function bundle(): Promise<string> {
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

async function openPage(browser: Browser, script: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
  await page.route(PAGE_URL, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }))
  await page.goto(PAGE_URL)
  await page.addScriptTag({ content: script })
  return page
}

async function measure(page: Page): Promise<{ ours: number; bare: number; ratio: number }> {
  const ours: number[] = []
  const bare: number[] = []
  const take = async (side: number[]) => {
    side.push(await page.evaluate<number>(side === ours ? 'measureOurs()' : 'measureBare()'))
  }
  // The first call of a browser pays for what all later ones share.
  await page.evaluate('measureBare()')
  await page.evaluate('measureOurs()')
  const end = performance.now() + TIME_LIMIT_MS
  for (let pair = 0; pair < PAIRS && performance.now() < end; pair += 1) {
    for (const side of pair % 2 === 0 ? [ours, bare] : [bare, ours]) await take(side)
  }
  if (bare.length < ENOUGH_PAIRS) throw new Error(`Only ${bare.length} pairs of calls in ${TIME_LIMIT_MS} ms`)
  const medians = { ours: median(ours), bare: median(bare) }
  return { ...medians, ratio: medians.ours / medians.bare }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
