import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'

/** An event of the trace event format. Times are microseconds of the machine's monotonic clock. */
const eventSchema = v.looseObject({
  name: v.string(),
  cat: v.optional(v.string(), ''),
  ph: v.string(),
  pid: v.number(),
  tid: v.number(),
  ts: v.number(),
  dur: v.optional(v.number()),
  /** The part of `dur` that the thread was on the processor. */
  tdur: v.optional(v.number()),
  id: v.optional(v.union([v.string(), v.number()])),
  id2: v.optional(v.looseObject({ local: v.optional(v.string()), global: v.optional(v.string()) })),
  args: v.optional(v.record(v.string(), v.unknown()), {}),
})
export type TraceEvent = v.InferOutput<typeof eventSchema>

const recordedSchema = v.looseObject({ traceEvents: v.array(eventSchema) })

export type RawSourceMap = {
  version: number
  sources: string[]
  sourcesContent?: (string | null)[] | undefined
  names: string[]
  mappings: string
}

/** What the performance panel reads besides events; `sourceMaps` belong to its "enhanced" traces. */
export type TraceMetadata = {
  source: 'DevTools'
  startTime: string
  cpuThrottling: number
  enhancedTraceVersion: 1
  sourceMaps: { url: string; sourceMapUrl: string; sourceMap: RawSourceMap }[]
}

export type TraceFile = { metadata: TraceMetadata; traceEvents: TraceEvent[] }

export function parseEvents(text: string): TraceEvent[] {
  return v.parse(recordedSchema, JSON.parse(text), { abortEarly: true }).traceEvents
}

/** The panel looks for the metadata at the beginning of the file. Events are written one by one: together they can exceed a string. */
export function writeTrace(path: string, { metadata, traceEvents }: TraceFile): void {
  const parts = [Buffer.from(`{"metadata": ${JSON.stringify(metadata)},\n"traceEvents": [\n`)]
  for (const [index, event] of traceEvents.entries())
    parts.push(Buffer.from(`${index === 0 ? '' : ',\n'}${JSON.stringify(event)}`))
  parts.push(Buffer.from('\n]}\n'))
  writeFileSync(path, gzipSync(Buffer.concat(parts)))
}

/** The fields of `args.data`, where most events carry what they say. */
export function dataOf({ args }: TraceEvent): Record<string, unknown> {
  return recordOf(args.data)
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
