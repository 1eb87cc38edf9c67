import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { atCommit, comparisonText } from './against.ts'
import { analyse } from './analysis.ts'
import { readPorts } from './count-ports.ts'
import { endOnSignals } from './ending.ts'
import { beginFor, goJourney, slowDown, withPeople } from './journey.ts'
import { findLeaks, leaksText } from './leaks.ts'
import { mergeTraces } from './merge.ts'
import { panelVerdict } from './panel-parser.ts'
import { buildProduct, otherProduct, type Product, profilingProduct, visitorsProduct, withServer } from './product.ts'
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
/** The traces of this run. */
const written: string[] = []

type Run = { rate: number; callMs: number; prefix: string }

const { values } = parseArgs({
  options: { call: { type: 'string' }, leaks: { type: 'string' }, against: { type: 'string' } },
})

/** Goes the journey once and writes its traces. */
async function record(product: Product, origin: string, run: Run): Promise<Result[]> {
  const { rate, callMs, prefix } = run
  return await withPeople(origin, ['Ada', 'Bela'], async (people) => {
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
      const sourceMaps = readSourceMaps(events, origin, product.dist)
      const trace: TraceFile = {
        metadata: { enhancedTraceVersion: 1, source: 'DevTools', startTime, cpuThrottling: rate, sourceMaps },
        traceEvents: linkSourceMaps(events, sourceMaps),
      }
      write(`${prefix}${person.toLowerCase()}-${rate}x.json.gz`, trace)
      traces.push({ person, trace })
      results.push({ person, rate, analysis: analyse(events, sourceNames(sourceMaps)), ports })
    }
    write(`${prefix}both-${rate}x.json.gz`, mergeTraces(traces))
    return results
  })
}

function write(file: string, trace: TraceFile): void {
  writeTrace(join(OUTPUT, file), trace)
  written.push(file)
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

/** Goes the journeys at each speed with a product in the present folder. */
async function recordAll(product: Product, callMs: number, prefix: string): Promise<Result[]> {
  await buildProduct(product)
  const results: Result[] = []
  // A server of its own for each: people who have met are matched again only after a wait.
  for (const rate of RATES)
    results.push(
      ...(await withServer(product, { NEXT_WAIT_SECONDS: '1' }, (origin) =>
        record(product, origin, { rate, callMs, prefix }),
      )),
    )
  return results
}

async function recordLeaks(rounds: number): Promise<void> {
  await buildProduct(visitorsProduct)
  const leaks = await withServer(visitorsProduct, { MATCH_RELAX_AFTER_MS: '0' }, (origin) => findLeaks(origin, rounds))
  publish('leaks.md', leaksText(leaks, rounds))
}

/** Says of each file whether the performance panel can open it. One that it cannot open fails the command. */
async function checkFiles(): Promise<void> {
  for (const file of written) {
    const { isGood, text } = await panelVerdict(join(OUTPUT, file))
    process.stdout.write(`${file}: ${text}\n`)
    if (!isGood) process.exitCode = 1
  }
}

async function main(): Promise<void> {
  endOnSignals()
  mkdirSync(OUTPUT, { recursive: true })
  const rounds = numberOption('leaks', 0)
  if (rounds > 0) return await recordLeaks(rounds)
  const callMs = numberOption('call', SHORT_CALL_SECONDS) * 1_000
  const { against } = values
  const results = await recordAll(profilingProduct, callMs, '')
  publish('summary.md', summaryText(results, 'Trace of the journey'))
  if (against !== undefined) {
    const others = await atCommit(against, () => recordAll(otherProduct, callMs, 'against-'))
    publish('comparison.md', comparisonText(results, others, against))
  }
  await checkFiles()
}

await main()
