import type { Span } from '#workers/trace.ts'
import { offersUdp, sampleOf } from '../../call/peer/call-stats.ts'
import { type LeftListener, placesOfListeners } from './alive.ts'
import { nameOf } from './calls.ts'
import { limits, type Places } from './findings.ts'
import { createRing, createTally, type Place, type Tally } from './limited.ts'

/** The screens by name. The code of a screen is loaded when it is needed. */
export type Screens = Readonly<Record<string, { load(): Promise<unknown>; loaded(): unknown }>>
type Time = { start: number; end: number }
type Wait = Time & { method: string }

const KEPT = 500
const QUEUE = /^queue (\S+) #\d+$/
const TASK = /^task (\S+) #\d+$/
/** Share of a request's wait from which on the worker counts as busy, by the time that it computes in the wait. */
const BUSY_SHARE = 0.5
/** Number of readings after which it is known how a connection reaches the peer. */
const READINGS_MAX = 5

/** Records, from now on, the data from which findings are made. */
export function followPlaces(screens: Screens, listeners: () => LeftListener[]) {
  const chunks = createTally()
  const spans = createSpanPlaces()
  const ways = followWays()
  let screenSince = performance.now()
  followScreens(screens, chunks)

  return {
    ways,
    take(span: Span): void {
      if (span.track === 'Routes') screenSince = span.end
      spans.take(span)
    },
    screenMs: () => performance.now() - screenSince,
    read: (): Places => ({
      ...spans.places(),
      'late-chunk': chunks.places(),
      'leaked-listener': placesOfListeners(listeners()),
      'slow-relay': ways.relays.places(),
      'blocked-udp': ways.blocked.places(),
    }),
  }
}

/** Finds slow places in spans. */
export function createSpanPlaces() {
  const tasks = createTally()
  const lost = createTally()
  const provider = createTally()
  const waits = createRing<Wait>(KEPT)
  const busy = createRing<Time>(KEPT)

  /** Computed only for a report, because the span of a task comes after those of the requests that waited for it. */
  function waitsForIdleWorker(): Place[] {
    const tally = createTally()
    const tasksOf = busy.items()
    for (const { method, start, end } of waits.items())
      if (busyMs(tasksOf, start, end) < (end - start) * BUSY_SHARE) tally.add(method, end - start)
    return joined(tally.places())
  }

  return {
    take({ track, label, start, end }: Span): void {
      const ms = end - start
      const [, task] = TASK.exec(label) ?? []
      if (task) {
        busy.add({ start, end })
        if (ms > limits['worker-task'].most) tasks.add(task, ms)
      }
      const [, method] = QUEUE.exec(label) ?? []
      if (method && ms > limits['stuck-queue'].most) waits.add({ method, start, end })
      if (track === 'Hub' && label.startsWith('unanswered ')) lost.add(nameOf(label).replace('unanswered ', ''), ms)
      if (track === 'Sign-in' && ms > limits['slow-provider'].most) provider.add(nameOf(label), ms)
    },
    places: () => ({
      'worker-task': tasks.places(),
      'lost-message': lost.places(),
      'stuck-queue': waitsForIdleWorker(),
      'slow-provider': provider.places(),
    }),
  }
}

function busyMs(tasks: readonly Time[], start: number, end: number): number {
  return tasks.reduce((sum, task) => sum + Math.max(0, Math.min(end, task.end) - Math.max(start, task.start)), 0)
}

/** Joins the places into one place with the names of all methods. */
function joined(places: readonly Place[]): Place[] {
  if (places.length === 0) return []
  return [
    {
      where: places.map(({ where }) => where).join(', '),
      count: places.reduce((sum, { count }) => sum + count, 0),
      worst: Math.max(...places.map(({ worst }) => worst)),
    },
  ]
}

/** Records peer connections with a slow relay, and those for which UDP is blocked. */
function followWays() {
  const relays = createTally()
  const blocked = createTally()
  const readings = new WeakMap<RTCPeerConnection, number>()
  const names = new WeakMap<RTCPeerConnection, string>()
  let opened = 0

  return {
    relays,
    blocked,
    opened(connection: RTCPeerConnection): void {
      opened += 1
      names.set(connection, `PC_${opened}`)
      let since: number | null = null
      connection.addEventListener('icegatheringstatechange', () => {
        if (connection.iceGatheringState === 'gathering') since = performance.now()
      })
      connection.addEventListener('icecandidate', ({ candidate }) => {
        if (since === null || candidate?.type !== 'relay') return
        const ms = performance.now() - since
        since = null
        if (ms > limits['slow-relay'].most) relays.add('relay', ms)
      })
    },
    read(connection: RTCPeerConnection, report: RTCStatsReport): void {
      const count = (readings.get(connection) ?? 0) + 1
      readings.set(connection, count)
      if (count > READINGS_MAX || !sampleOf([...report.values()], 0).isUdpBlocked) return
      if (!offersUdp(connection.getConfiguration())) return
      readings.set(connection, READINGS_MAX)
      blocked.add(names.get(connection) ?? '', 1)
    },
  }
}

/** Records screens whose code takes too long, from the first request for it until it is loaded. */
export function followScreens(screens: Screens, tally: Tally): void {
  for (const [name, screen] of Object.entries(screens)) {
    if (screen.loaded()) continue
    const { load } = screen
    let since: number | null = null
    function ready(): void {
      const ms = since === null ? 0 : performance.now() - since
      since = null
      screen.load = load
      if (ms > limits['late-chunk'].most) tally.add(name, ms)
    }
    screen.load = () => {
      const loading = load()
      if (since === null)
        loading.then(ready, () => {
          since = null
        })
      since ??= performance.now()
      return loading
    }
  }
}
