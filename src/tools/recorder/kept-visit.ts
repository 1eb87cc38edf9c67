import * as v from 'valibot'
import { listOf, tryParse } from '#protocol/parse.ts'
import type { TraceTrack } from '#workers/trace.ts'
import { waterfallSchema } from './calls.ts'
import { ENTRIES_MAX } from './limited.ts'
import { connectionEventSchema } from './rtcstats-dump.ts'

const KEY = 'profile'
/** The browser keeps a few megabytes; a reading of the statistics has up to ten kilobytes. */
const EVENTS_MAX = 100

const trackSchema = v.custom<TraceTrack>((value) => typeof value === 'string')
const keptSchema = v.object({
  timeOrigin: v.number(),
  calls: listOf(waterfallSchema, ENTRIES_MAX),
  spans: listOf(v.object({ track: trackSchema, label: v.string(), start: v.number(), end: v.number() }), ENTRIES_MAX),
  events: listOf(connectionEventSchema, EVENTS_MAX),
})
/** What a page leaves for the next page of this tab: typing the address of /profile loads a new page. */
export type KeptVisit = v.InferOutput<typeof keptSchema>

/** Keeps the visit for the next page of this tab, unless the browser refuses. */
export function keepVisit(visit: KeptVisit): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...visit, events: visit.events.slice(-EVENTS_MAX) }))
  } catch {
    // No storage, or no room in it: the next page begins without.
  }
}

/** Returns what the page before has kept, with times of this page's `performance.now()`; null if it kept nothing. */
export function takeKeptVisit(): KeptVisit | null {
  const parsed = tryParse(keptSchema, readKept())
  if (!parsed.success) return null
  const { timeOrigin, calls, spans, events } = parsed.output
  const shift = timeOrigin - performance.timeOrigin
  return {
    timeOrigin: performance.timeOrigin,
    calls: calls.map((call) => ({ ...call, start: call.start + shift })),
    spans: spans.map((span) => ({ ...span, start: span.start + shift, end: span.end + shift })),
    events,
  }
}

function readKept(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}
