import * as v from 'valibot'
import { listOf, tryParse } from '#protocol/parse.ts'
import type { TraceTrack } from '#workers/trace.ts'
import { waterfallSchema } from './calls.ts'
import { ENTRIES_MAX } from './limited.ts'
import { connectionEventSchema } from './rtcstats-dump.ts'

const KEY = 'profile'
/** Most events that are stored: the browser stores a few MB, and a reading of statistics takes up to 10 KB. */
const EVENTS_MAX = 100

const trackSchema = v.custom<TraceTrack>((value) => typeof value === 'string')
const keptSchema = v.object({
  timeOrigin: v.number(),
  calls: listOf(waterfallSchema, ENTRIES_MAX),
  spans: listOf(v.object({ track: trackSchema, label: v.string(), start: v.number(), end: v.number() }), ENTRIES_MAX),
  events: listOf(connectionEventSchema, EVENTS_MAX),
})
/** The data of a visit that a page stores for the next page of the tab, since typing /profile loads a page. */
export type KeptVisit = v.InferOutput<typeof keptSchema>

/** Stores the visit for the next page of this tab, unless the browser refuses. */
export function keepVisit(visit: KeptVisit): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...visit, events: visit.events.slice(-EVENTS_MAX) }))
  } catch {
    // There is no storage, or no space in it: the next page begins without the visit.
  }
}

/** Returns the visit that the previous page stored, in times of this page; null if there is none. */
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
