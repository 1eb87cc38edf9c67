import type { Span } from '#workers/trace.ts'

/** Process and main thread of the page. */
const THREAD = { pid: 1, tid: 1 }
const US_PER_MS = 1_000

/**
 * Converts spans to the Trace Event Format, which ui.perfetto.dev and the browser's performance panel open. Times of spans are in ms after
 * `timeOrigin` (ms since 1970). The panel needs the metadata of a page: a process, its main thread and the frame.
 */
export function traceEventsOf(spans: readonly Span[], timeOrigin: number) {
  const us = (ms: number) => Math.round((timeOrigin + ms) * US_PER_MS)
  return {
    traceEvents: [
      metadata('process_name', 'Renderer'),
      metadata('thread_name', 'CrRendererMain'),
      started(us(spans.reduce((least, { start }) => Math.min(least, start), 0))),
      ...spans.flatMap(({ track, label, start, end }, index) => {
        // The panel shows spans of this category on the tracks that their `detail` names.
        const common = { name: label, cat: 'blink.user_timing', ...THREAD, id: `0x${(index + 1).toString(16)}` }
        const devtools = { dataType: 'track-entry', track, trackGroup: 'Chat', color: 'primary' }
        return [
          { ...common, ph: 'b', ts: us(start), args: { detail: JSON.stringify({ devtools }), startTime: start } },
          { ...common, ph: 'e', ts: us(Math.max(start, end)), args: {} },
        ]
      }),
    ],
    displayTimeUnit: 'ms',
  }
}

function metadata(name: string, value: string) {
  return { name, cat: '__metadata', ph: 'M', ...THREAD, ts: 0, args: { name: value } }
}

/** Returns the event that names the page's frame. */
function started(ts: number) {
  const frame = { frame: 'main', url: 'about:blank', name: '', processId: THREAD.pid }
  const frames = [{ ...frame, isOutermostMainFrame: true, isInPrimaryMainFrame: true }]
  const data = { frameTreeNodeId: 1, persistentIds: true, frames }
  const cat = 'disabled-by-default-devtools.timeline'
  return { name: 'TracingStartedInBrowser', cat, ph: 'I', s: 't', ...THREAD, ts, args: { data } }
}
