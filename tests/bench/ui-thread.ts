import type { Page } from 'playwright'

/** What a page costs its UI thread, in milliseconds of that thread's own time, which other processes do not lengthen. */
export type UiThread = {
  /** Time that the thread has spent in tasks since the page was opened. */
  spent(): Promise<number>
  /** Slows the thread down, by less than `rate`. Resolves with the measured slowdown of a fixed piece of work. */
  slowDown(rate: number): Promise<number>
  /** Collects the garbage of what was before, which would else be paid for later. */
  tidyUp(): Promise<void>
}

const SPINS = 5

export async function uiThreadOf(page: Page): Promise<UiThread> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })

  async function spent(): Promise<number> {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
    if (seconds === undefined) throw new Error('The browser does not report TaskDuration')
    return seconds * 1_000
  }

  async function spin(): Promise<number> {
    const costs: number[] = []
    for (let turn = 0; turn < SPINS; turn += 1) {
      const before = await spent()
      await page.evaluate(() => {
        let sum = 0
        for (let step = 0; step < 20_000_000; step += 1) sum += Math.sqrt(step)
        return sum
      })
      costs.push((await spent()) - before)
    }
    return Math.min(...costs)
  }

  // The first spins are compiled as they run.
  await spin()
  const unthrottled = await spin()

  return {
    spent,
    async slowDown(rate) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate })
      return rate === 1 ? 1 : (await spin()) / unthrottled
    },
    async tidyUp() {
      // What one round frees may hold what only the next can free.
      for (let round = 0; round < 3; round += 1) await devtools.send('HeapProfiler.collectGarbage')
    },
  }
}
