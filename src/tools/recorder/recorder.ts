import { followSpans, type Span } from '#workers/trace.ts'
import { saveFile } from '../../platform/io/save-file.ts'
import { type Alive, countAlive, followListeners } from './alive.ts'
import { collectCalls, type Waterfall } from './calls.ts'
import { type Finding, findingsOf } from './findings.ts'
import { keepVisit, takeKeptVisit } from './kept-visit.ts'
import { createRing } from './limited.ts'
import { followPlaces, type Screens } from './places.ts'
import { createRequestTable, type RequestRow } from './requests.ts'
import { createConnectionLog, rtcStatsDump } from './rtcstats-dump.ts'
import { safeLabel } from './safe-label.ts'
import { traceEventsOf } from './trace-events.ts'

/** The measurements of this browser in this visit. Times are of `performance.now()`, in ms. */
export type RecorderReport = {
  /** Time in ms since 1970 at which `performance.now()` was 0. */
  timeOrigin: number
  /** What is slow, or was not released. */
  findings: Finding[]
  calls: Waterfall[]
  requests: RequestRow[]
  alive: Alive
}
export const exportKinds = ['json', 'rtcstats', 'trace'] as const
type ExportKind = (typeof exportKinds)[number]
export type Recorder = { read(): RecorderReport; save(kind: ExportKind): void }

const SPANS_MAX = 2_000

let running: Recorder | null = null

/**
 * Starts the recorder at the first call and returns the same recorder at each call. It records until the page is loaded
 * again. `screens` are the screens whose code may not be loaded yet.
 */
export function startRecorder(screens: Screens = {}): Recorder {
  running ??= record(screens)
  return running
}

function record(screens: Screens): Recorder {
  const spans = createRing<Span>(SPANS_MAX)
  const requests = createRequestTable()
  const listeners = followListeners({ window, document })
  const places = followPlaces(screens, listeners)
  const earlier = takeKeptVisit()
  const log = createConnectionLog()
  const alive = countAlive({
    opened(connection) {
      log.opened(connection)
      places.ways.opened(connection)
    },
    read(connection, report) {
      log.read(connection, report)
      places.ways.read(connection, report)
    },
    listeners: () => listeners().length,
  })
  const calls = collectCalls()
  addEventListener('click', ({ timeStamp }) => calls.pressed(timeStamp), { capture: true })

  function keep(span: Span): void {
    if (span.track === 'Workers') requests.take(span.label, span.end - span.start)
    places.take(span)
    spans.add(span)
  }

  if (earlier) {
    calls.restore(earlier.calls)
    log.restore(earlier.events)
    earlier.spans.forEach(keep)
  }
  addEventListener('pagehide', () => {
    const { timeOrigin } = performance
    keepVisit({ timeOrigin, calls: calls.all(), spans: spans.items(), events: log.events() })
  })

  followSpans((span) => {
    const safe = { ...span, label: safeLabel(span.track === 'Routes' ? screenOf(span.label) : span.label) }
    if (span.track !== 'Workers') calls.take(safe)
    keep(safe)
  })

  function read(): RecorderReport {
    const seen = alive()
    return {
      timeOrigin: performance.timeOrigin,
      findings: findingsOf({ alive: seen, places: places.read(), screenMs: places.screenMs() }),
      calls: calls.all(),
      requests: requests.rows(),
      alive: seen,
    }
  }

  return {
    read,
    save(kind) {
      const files: Record<ExportKind, () => [contents: string, name: string]> = {
        json: () => [JSON.stringify(read(), null, 2), 'waggle-profile.json'],
        rtcstats: () => [rtcStatsDump(log.events(), performance.timeOrigin), 'waggle-rtcstats.jsonl'],
        trace: () => [JSON.stringify(traceEventsOf(spans.items(), performance.timeOrigin)), 'waggle-trace.json'],
      }
      const [contents, name] = files[kind]()
      saveFile(new Blob([contents], { type: 'application/json' }), name)
    },
  }
}

/** Returns the first part of the path; the rest may be an id. */
function screenOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`
}
