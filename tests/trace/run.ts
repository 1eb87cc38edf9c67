import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServerProcess } from '../support/servers/server-process.ts'
import { analyse } from './analysis.ts'
import { readPorts } from './count-ports.ts'
import { beginFor, goJourney, openPeople, slowDown } from './journey.ts'
import { mergeTraces } from './merge.ts'
import { startRecording } from './recorder.ts'
import { linkSourceMaps, readSourceMaps, sourceNames } from './source-maps.ts'
import { type Result, summaryText } from './summary.ts'
import { type TraceFile, writeTrace } from './trace-file.ts'

/**
 * `npm run trace`: starts the built product and two browsers, goes the journey of two people at full and at a quarter of the
 * processor's speed, and writes their traces and summary.md into test-results/trace.
 */

const OUTPUT = 'test-results/trace'
const RATES = [1, 4]
const SHORT_CALL_SECONDS = 5
const { values } = parseArgs({ options: { call: { type: 'string' } } })

/** Goes the journey once and writes its traces. */
async function record(origin: string, rate: number, callMs: number): Promise<Result[]> {
  const people = await openPeople(origin, ['Ada', 'Bela'])
  try {
    for (const person of people) await slowDown(person, rate)
    const recorders = await Promise.all(people.map(({ page }) => startRecording(page)))
    const startTime = new Date().toISOString()
    await goJourney(people, beginFor(people), callMs)
    const results: Result[] = []
    const traces: { person: string; trace: TraceFile }[] = []
    for (const [index, { name: person, page }] of people.entries()) {
      const ports = await page.evaluate(readPorts)
      const events = (await recorders[index]?.stop()) ?? []
      const sourceMaps = readSourceMaps(events, origin, 'dist')
      const trace: TraceFile = {
        metadata: { enhancedTraceVersion: 1, source: 'DevTools', startTime, cpuThrottling: rate, sourceMaps },
        traceEvents: linkSourceMaps(events, sourceMaps),
      }
      writeTrace(join(OUTPUT, `${person.toLowerCase()}-${rate}x.json.gz`), trace)
      traces.push({ person, trace })
      results.push({ person, rate, analysis: analyse(events, sourceNames(sourceMaps)), ports })
    }
    writeTrace(join(OUTPUT, `both-${rate}x.json.gz`), mergeTraces(traces))
    return results
  } finally {
    await Promise.all(people.map(({ browser }) => browser.close()))
  }
}

async function main(): Promise<void> {
  const callMs = Number(values.call ?? SHORT_CALL_SECONDS) * 1_000
  if (!Number.isFinite(callMs)) throw new Error('--call needs a number of seconds')
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  mkdirSync(OUTPUT, { recursive: true })
  const results: Result[] = []
  for (const rate of RATES) {
    // A server of its own: people of an earlier run have met and would not be matched again.
    const server = await startServerProcess({ NEXT_WAIT_SECONDS: '1' })
    try {
      results.push(...(await record(server.url, rate, callMs)))
    } finally {
      await server.stop()
    }
  }
  const text = summaryText(results, 'Trace of the journey')
  writeFileSync(join(OUTPUT, 'summary.md'), `${text}\n`)
  process.stdout.write(`${text}\n`)
}

await main()
