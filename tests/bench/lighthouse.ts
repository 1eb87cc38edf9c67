import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { freePort } from '../../scripts/free-port.ts'
import { startServerProcess } from '../support/servers/server-process.ts'

/** The whole report, for Lighthouse's viewer, without the pictures in it. */
const REPORT = 'docs/lighthouse.json'
const pictures = ['screenshot-thumbnails', 'final-screenshot']

export type Score = { category: string; score: number; failing: string[] }

/** Runs Lighthouse on a first visit with a phone, up to the sign-in page. Stores its report. */
export async function benchLighthouse(): Promise<Score[]> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const port = await freePort()
  const server = await startServerProcess()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
  })
  try {
    const result = await lighthouse(`${server.url}/`, {
      port,
      formFactor: 'mobile',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
      disableFullPageScreenshot: true,
    })
    if (!result) throw new Error('Lighthouse gave no report')
    const { audits, categories } = result.lhr
    for (const name of pictures) delete audits[name]
    writeFileSync(REPORT, `${JSON.stringify(result.lhr)}\n`)
    return Object.values(categories).map(({ title, score, auditRefs }) => ({
      category: title,
      score: Math.round((score ?? 0) * 100),
      failing: auditRefs.flatMap(({ id, weight }) => {
        const audit = audits[id]
        return weight > 0 && audit && audit.score !== null && audit.score < 0.9
          ? [`${audit.title} ${audit.displayValue ?? ''}`.trim()]
          : []
      }),
    }))
  } finally {
    await browser.close()
    await server.stop()
  }
}
