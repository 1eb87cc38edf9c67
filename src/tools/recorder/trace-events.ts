import type { Span } from '#workers/trace.ts'

/** The Trace Event Format, which ui.perfetto.dev and the browser's performance panel open. Times in microseconds. */
type TraceEvent = {
  name: string
  cat: string
  /** M: metadata; I: a moment; b and e: begin and end of a span that may overlap others. */
  ph: 'M' | 'I' | 'b' | 'e'
  pid: number
  tid: number
  ts: number
  id?: string
  s?: 't'
  args: Record<string, unknown>
}
export type TraceFile = { traceEvents: TraceEvent[]; displayTimeUnit: 'ms' }

const PID = 1
const MAIN = 1
const US = 1_000
/** The panel shows spans of this category on tracks that their detail names. */
const USER_TIMING = 'blink.user_timing'

/** Converts spans, whose times are ms after `timeOrigin` (ms since 1970). The panel needs the metadata of a page: a process, its main thread and the frame. */
export function traceEventsOf(spans: readonly Span[], timeOrigin: number): TraceFile {
  const meta = (name: string, value: string): TraceEvent => {
    return { name, cat: '__metadata', ph: 'M', pid: PID, tid: MAIN, ts: 0, args: { name: value } }
  }
  const first = spans.reduce((least, { start }) => Math.min(least, start), 0)
  const frame = {
    frame: 'main',
    url: 'about:blank',
    name: '',
    processId: PID,
    isOutermostMainFrame: true,
    isInPrimaryMainFrame: true,
  }
  const started: TraceEvent = {
    name: 'TracingStartedInBrowser',
    cat: 'disabled-by-default-devtools.timeline',
    ph: 'I',
    s: 't',
    pid: PID,
    tid: MAIN,
    ts: Math.round((timeOrigin + first) * US),
    args: { data: { frameTreeNodeId: 1, persistentIds: true, frames: [frame] } },
  }
  return {
    traceEvents: [
      meta('process_name', 'Renderer'),
      meta('thread_name', 'CrRendererMain'),
      started,
      ...spans.flatMap((span, index) => toEvents(span, index, timeOrigin)),
    ],
    displayTimeUnit: 'ms',
  }
}

function toEvents({ track, label, start, end }: Span, index: number, timeOrigin: number): TraceEvent[] {
  const common = { name: label, cat: USER_TIMING, pid: PID, tid: MAIN, id: `0x${(index + 1).toString(16)}` }
  const detail = JSON.stringify({ devtools: { dataType: 'track-entry', track, trackGroup: 'Chat', color: 'primary' } })
  return [
    { ...common, ph: 'b', ts: Math.round((timeOrigin + start) * US), args: { detail, startTime: start } },
    { ...common, ph: 'e', ts: Math.round((timeOrigin + Math.max(start, end)) * US), args: {} },
  ]
}
