import * as v from 'valibot'
import { createRing } from './limited.ts'

/** A reading of `getStats()` or an event of a peer connection; `at` is in ms since 1970. */
export const connectionEventSchema = v.object({
  method: v.string(),
  connection: v.string(),
  value: v.unknown(),
  at: v.number(),
})
type ConnectionEvent = v.InferOutput<typeof connectionEventSchema>

/** Version of the format of github.com/rtcstats/rtcstats: two lines of header, then a JSON array for each event. */
const FILE_FORMAT = 3
/** The name of a connection is this prefix and a number. */
const PREFIX = 'PC_'
/** Most events that are kept: ten minutes with one reading a second. */
const EVENTS_MAX = 600

/** Types of statistics that are kept, without addresses. Kept fields: numbers, flags and the texts below. */
const keptTypes: ReadonlySet<string> = new Set([
  'inbound-rtp',
  'outbound-rtp',
  'remote-inbound-rtp',
  'remote-outbound-rtp',
  'media-source',
  'media-playout',
  'transport',
  'candidate-pair',
  'codec',
])
const keptTexts: ReadonlySet<string> = new Set([
  'id',
  'type',
  'kind',
  'mid',
  'mimeType',
  'state',
  'codecId',
  'transportId',
  'mediaSourceId',
  'remoteId',
  'localId',
  'selectedCandidatePairId',
  'qualityLimitationReason',
  'encoderImplementation',
  'decoderImplementation',
  'dtlsState',
  'iceState',
])
const isPort = (name: string) => /port$/i.test(name)

/** Returns the report without addresses, ports, fingerprints and names of devices. */
export function safeStats(entries: Iterable<Record<string, unknown>>): Record<string, Record<string, unknown>> {
  const kept = [...entries].filter(({ type }) => keptTypes.has(String(type)))
  return Object.fromEntries(kept.map((entry) => [String(entry.id), safeEntry(entry)]))
}

function safeEntry(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => {
      if (typeof value === 'number') return !isPort(name)
      return typeof value === 'boolean' || (typeof value === 'string' && keptTexts.has(name))
    }),
  )
}

const sinceEpoch = () => Math.round(performance.timeOrigin + performance.now())

/** Keeps the events of the last connections. */
export function createConnectionLog() {
  const events = createRing<ConnectionEvent>(EVENTS_MAX)
  const names = new WeakMap<RTCPeerConnection, string>()
  let opened = 0

  function add(connection: RTCPeerConnection, method: string, value: unknown): void {
    events.add({ method, connection: names.get(connection) ?? '', value, at: sinceEpoch() })
  }

  return {
    opened(connection: RTCPeerConnection): void {
      opened += 1
      names.set(connection, `${PREFIX}${opened}`)
      add(connection, 'create', {})
      const states = [
        ['connectionstatechange', 'connectionState'],
        ['iceconnectionstatechange', 'iceConnectionState'],
        ['signalingstatechange', 'signalingState'],
      ] as const
      for (const [event, state] of states)
        connection.addEventListener(event, () => add(connection, `on${event}`, connection[state]))
    },
    read: (connection: RTCPeerConnection, report: RTCStatsReport) =>
      add(connection, 'getStats', safeStats([...report.values()] as Record<string, unknown>[])),
    events: events.items,
    /** Adds the events of the previous page. New connections get higher numbers than those of that page. */
    restore(earlier: readonly ConnectionEvent[]): void {
      for (const event of earlier) {
        opened = Math.max(opened, Number(event.connection.slice(PREFIX.length)))
        events.add(event)
      }
    },
  }
}

/** Returns the dump. The last item of an event is the time in ms since the previous event; of the first, since 1970. */
export function rtcStatsDump(events: readonly ConnectionEvent[], startTime: number): string {
  const header = { fileFormat: FILE_FORMAT, startTime: Math.round(startTime), clientProtocol: 'waggle' }
  const whole = forImporter(events)
  const lines = whole.map(({ method, connection, value, at }, index) =>
    JSON.stringify([method, connection, value, at - (whole[index - 1]?.at ?? 0)]),
  )
  return ['RTCStatsDump', JSON.stringify(header), ...lines, ''].join('\n')
}

/**
 * Adapts the events to the importer of rtcstats. It throws if the first event of a connection is not `create`, which may have been dropped.
 * It also reads statistics as changes of the previous ones: a report that has ended must be null.
 */
function forImporter(events: readonly ConnectionEvent[]): ConnectionEvent[] {
  const before = new Map<string, string[]>()
  return events.flatMap((event) => {
    const { method, connection, value, at } = event
    const known = before.get(connection)
    const begin = known || method === 'create' ? [] : [{ method: 'create', connection, value: {}, at }]
    if (method !== 'getStats') {
      before.set(connection, known ?? [])
      return [...begin, event]
    }
    const reports = Object(value) as Record<string, unknown>
    const gone = (known ?? []).filter((id) => !(id in reports))
    before.set(connection, Object.keys(reports))
    return [...begin, { ...event, value: { ...reports, ...Object.fromEntries(gone.map((id) => [id, null])) } }]
  })
}
