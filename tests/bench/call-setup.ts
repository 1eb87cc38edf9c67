import { chromium } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { bundleCallPage, compareCalls, openCallPage, slowDown } from './call-pairs.ts'

const SLOW_MATCHES = 20
const SLOW_RATE = 6

/** Match event to both first remote frames, camera open: ours against two bare connections, in milliseconds. */
export async function benchCallSetup(rate: number): Promise<{ ours: number; bare: number; ratio: number }> {
  const { first, second, ratio } = await compareCalls('measureOurs()', 'measureBare()', rate)
  return { ours: first, bare: second, ratio }
}

/** How many of 20 matches become calls on a thread that is slowed down six times; and the width of a 720p camera's first frame. */
export async function benchSlowMatches(): Promise<{ matches: number; connected: number; firstWidth: number }> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs })
  try {
    const script = await bundleCallPage()
    const page = await openCallPage(browser, script)
    const firstWidth = await page.evaluate<number>('measureFirstWidth()')
    await slowDown(page, SLOW_RATE)
    let connected = 0
    for (let match = 0; match < SLOW_MATCHES; match += 1) {
      // It rejects when no picture came in time.
      await page.evaluate('measureOurs()').then(
        () => {
          connected += 1
        },
        (thrown: unknown) => console.error(String(thrown)),
      )
    }
    return { matches: SLOW_MATCHES, connected, firstWidth }
  } finally {
    await browser.close()
  }
}
