import * as v from 'valibot'
import { listOf, tryParse } from '#protocol/parse.ts'
import type { Span } from '#workers/trace.ts'
import type { Interaction, LongFrame } from './page-timing.ts'
import type { ConnectionEvent } from './rtcstats-dump.ts'
import type { Waterfall } from './waterfall.ts'

/** What a page leaves for the next one of this tab: the address bar loads /profile anew. */
export type KeptVisit = {
  timeOrigin: number
  calls: Waterfall[]
  spans: Span[]
  events: ConnectionEvent[]
  interactions: Interaction[]
  longFrames: LongFrame[]
}

const KEY = 'profile'
/** The browser keeps a few megabytes; a reading of the statistics has up to ten kilobytes. */
const EVENTS_MAX = 100
/** Above the rings of the recorder. */
const ENTRIES_MAX = 5_000

const step = v.object({ track: v.string(), label: v.string(), start: v.number(), ms: v.number() })
const keptSchema = v.object({
  timeOrigin: v.number(),
  calls: listOf(
    v.object({
      start: v.number(),
      ms: v.number(),
      isComplete: v.boolean(),
      steps: listOf(step, ENTRIES_MAX),
      slowest: v.nullable(step),
      slowestAfterMatch: v.nullable(step),
      causes: listOf(v.object({ cause: v.string(), start: v.number() }), ENTRIES_MAX),
    }),
    ENTRIES_MAX,
  ),
  spans: listOf(v.object({ track: v.string(), label: v.string(), start: v.number(), end: v.number() }), ENTRIES_MAX),
  events: listOf(
    v.object({ method: v.string(), connection: v.string(), value: v.unknown(), at: v.number() }),
    EVENTS_MAX,
  ),
  interactions: listOf(
    v.object({
      at: v.number(),
      kind: v.string(),
      target: v.string(),
      ms: v.number(),
      inputDelay: v.number(),
      processing: v.number(),
      presentationDelay: v.number(),
    }),
    ENTRIES_MAX,
  ),
  longFrames: listOf(
    v.object({
      at: v.number(),
      ms: v.number(),
      blockingMs: v.number(),
      scripts: listOf(v.object({ name: v.string(), file: v.string(), ms: v.number() }), ENTRIES_MAX),
    }),
    ENTRIES_MAX,
  ),
})

/** Keeps it for the next page of this tab; a browser that refuses keeps nothing. */
export function keepVisit(visit: KeptVisit): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...visit, events: visit.events.slice(-EVENTS_MAX) }))
  } catch {
    // No storage, or no room in it: the next page begins without.
  }
}

/** Returns what the page before has kept, with times of this page's `performance.now()`; null if there is none. */
export function takeKeptVisit(): KeptVisit | null {
  const parsed = tryParse(keptSchema, readKept())
  if (!parsed.success) return null
  const { timeOrigin, calls, spans, events, interactions, longFrames } = parsed.output
  const shift = timeOrigin - performance.timeOrigin
  const shifted = <Entry extends { at: number }>(entry: Entry): Entry => ({ ...entry, at: entry.at + shift })
  return {
    timeOrigin: performance.timeOrigin,
    calls: calls.map((call) => ({ ...call, start: call.start + shift })),
    spans: spans.map((span) => ({ ...span, start: span.start + shift, end: span.end + shift }) as Span),
    events,
    interactions: interactions.map(shifted),
    longFrames: longFrames.map(shifted),
  }
}

function readKept(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}
