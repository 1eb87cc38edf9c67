import { execFile, execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { freePort } from '../../scripts/free-port.ts'
import { startServerProcess } from '../support/servers/server-process.ts'

/** A package of its own, installed when this bench first runs: with what Lighthouse brings it is 100 MB. */
const PACKAGE = 'tests/bench/lighthouse'
const PROGRAM = `${PACKAGE}/node_modules/lighthouse/cli/index.js`

/** The whole report, for Lighthouse's viewer, without the pictures in it. */
const REPORT = 'docs/lighthouse.json'
const pictures = ['screenshot-thumbnails', 'final-screenshot']
const REPORT_BYTES_MAX = 64 * 1024 * 1024

const auditSchema = v.looseObject({
  title: v.string(),
  score: v.nullable(v.number()),
  displayValue: v.optional(v.string()),
})
const categorySchema = v.looseObject({
  title: v.string(),
  score: v.nullable(v.number()),
  auditRefs: v.array(v.looseObject({ id: v.string(), weight: v.number() })),
})
const reportSchema = v.looseObject({
  audits: v.record(v.string(), auditSchema),
  categories: v.record(v.string(), categorySchema),
})

export type Score = { category: string; score: number; failing: string[] }

async function runLighthouse(url: string, port: number): Promise<v.InferOutput<typeof reportSchema>> {
  if (!existsSync(PROGRAM)) {
    console.log(`npm ci --prefix ${PACKAGE}: Lighthouse is installed for this bench alone`)
    execFileSync('npm', ['ci', '--prefix', PACKAGE], { stdio: 'inherit' })
  }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[PROGRAM, url, `--port=${port}`, '--form-factor=mobile', '--output=json', '--output-path=stdout', '--quiet'],
      ...['--only-categories=performance,accessibility,best-practices', '--disable-full-page-screenshot'],
      '--no-enable-error-reporting',
    ],
    { maxBuffer: REPORT_BYTES_MAX },
  )
  return parse(reportSchema, JSON.parse(stdout))
}

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
    const report = await runLighthouse(`${server.url}/`, port)
    const { audits, categories } = report
    for (const name of pictures) delete audits[name]
    writeFileSync(REPORT, `${JSON.stringify(report)}\n`)
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
