import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startServerProcess } from '../support/servers/server-process.ts'
import { atCommit, comparisonText } from './against.ts'
import { analyse } from './analysis.ts'
import { readPorts } from './count-ports.ts'
import { beginFor, goJourney, openPeople, slowDown } from './journey.ts'
import { findLeaks, leaksText } from './leaks.ts'
import { mergeTraces } from './merge.ts'
import { startRecording } from './recorder.ts'
import { linkSourceMaps, readSourceMaps, sourceNames } from './source-maps.ts'
import { type Result, summaryText } from './summary.ts'
import { type TraceFile, writeTrace } from './trace-file.ts'

/**
 * `npm run trace`: starts the built product and two browsers, goes the journey of two people at full and at a quarter of the
 * processor's speed, and writes their traces and summary.md into test-results/trace.
 */

const OUTPUT = resolve('test-results/trace')
const RATES = [1, 4]
const SHORT_CALL_SECONDS = 5
const { values } = parseArgs({
  options: { call: { type: 'string' }, leaks: { type: 'string' }, against: { type: 'string' } },
})

/** Goes the journey once and writes its traces. */
async function record(origin: string, rate: number, callMs: number, prefix: string): Promise<Result[]> {
  const people = await openPeople(origin, ['Ada', 'Bela'])
  try {
    for (const person of people) await slowDown(person, rate)
    const recorders = await Promise.all(people.map(({ page }) => startRecording(page)))
    const startTime = new Date().toISOString()
    await goJourney(people, beginFor(people), callMs)
    const results: Result[] = []
    const traces: { person: string; trace: TraceFile }[] = []
    const allPorts = await Promise.all(people.map(({ page }) => page.evaluate(readPorts)))
    const recordings = await Promise.all(recorders.map((recorder) => recorder.stop()))
    for (const [index, { name: person }] of people.entries()) {
      const [ports, events] = [allPorts[index] ?? [], recordings[index] ?? []]
      const sourceMaps = readSourceMaps(events, origin, 'dist')
      const trace: TraceFile = {
        metadata: { enhancedTraceVersion: 1, source: 'DevTools', startTime, cpuThrottling: rate, sourceMaps },
        traceEvents: linkSourceMaps(events, sourceMaps),
      }
      writeTrace(join(OUTPUT, `${prefix}${person.toLowerCase()}-${rate}x.json.gz`), trace)
      traces.push({ person, trace })
      results.push({ person, rate, analysis: analyse(events, sourceNames(sourceMaps)), ports })
    }
    writeTrace(join(OUTPUT, `${prefix}both-${rate}x.json.gz`), mergeTraces(traces))
    return results
  } finally {
    await Promise.all(people.map(({ browser }) => browser.close()))
  }
}

function numberOption(name: 'call' | 'leaks', unset: number): number {
  const value = Number(values[name] ?? unset)
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} needs a whole number`)
  return value
}

function publish(file: string, text: string): void {
  writeFileSync(join(OUTPUT, file), `${text}\n`)
  process.stdout.write(`${text}\n`)
}

/** Goes the journeys at each speed with the product in the present folder. */
async function recordAll(callMs: number, prefix: string): Promise<Result[]> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const results: Result[] = []
  for (const rate of RATES) {
    // A server of its own: people who have met are matched again only after a wait.
    const server = await startServerProcess({ NEXT_WAIT_SECONDS: '1' })
    try {
      results.push(...(await record(server.url, rate, callMs, prefix)))
    } finally {
      await server.stop()
    }
  }
  return results
}

async function recordLeaks(rounds: number): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
  const server = await startServerProcess({ MATCH_RELAX_AFTER_MS: '0' })
  try {
    publish('leaks.md', leaksText(await findLeaks(server.url, rounds), rounds))
  } finally {
    await server.stop()
  }
}

async function main(): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true })
  const rounds = numberOption('leaks', 0)
  if (rounds > 0) return await recordLeaks(rounds)
  const callMs = numberOption('call', SHORT_CALL_SECONDS) * 1_000
  const { against } = values
  const results = await recordAll(callMs, '')
  publish('summary.md', summaryText(results, 'Trace of the journey'))
  if (against === undefined) return
  const others = await atCommit(against, () => recordAll(callMs, 'against-'))
  publish('comparison.md', comparisonText(results, others, against))
}

await main()
