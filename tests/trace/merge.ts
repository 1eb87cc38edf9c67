import { recordOf, type TraceEvent, type TraceFile } from './trace-file.ts'

/** Added to process ids that two browsers share; above any id of an operating system. */
const PID_STEP = 10_000_000

type Recorded = { person: string; trace: TraceFile }

/**
 * Puts the traces of several browsers on one axis. Their times need no change, because all browsers of a machine read one monotonic
 * clock. Ids of processes and of events that span threads are made different, and processes are named after their person.
 */
export function mergeTraces(recorded: readonly Recorded[]): TraceFile {
  const [first] = recorded
  if (!first) throw new Error('There is no trace to merge')
  const taken = new Set<number>()
  const traceEvents: TraceEvent[] = []
  for (const [index, { person, trace }] of recorded.entries()) {
    const own = new Set(trace.traceEvents.map(({ pid }) => pid))
    const pids = new Map([...own].map((pid) => [pid, taken.has(pid) ? pid + index * PID_STEP : pid]))
    for (const pid of pids.values()) taken.add(pid)
    for (const event of trace.traceEvents) traceEvents.push(belongTo(event, person, pids))
  }
  const maps = new Map(recorded.flatMap(({ trace }) => trace.metadata.sourceMaps).map((map) => [map.url, map]))
  return {
    metadata: { ...first.trace.metadata, sourceMaps: [...maps.values()] },
    // Metadata events have no time and come first.
    traceEvents: traceEvents.sort((one, other) => one.ts - other.ts),
  }
}

function belongTo(event: TraceEvent, person: string, pids: ReadonlyMap<number, number>): TraceEvent {
  const { id, id2, bind_id: bind } = event
  const isName = event.ph === 'M' && event.name === 'process_name'
  const args = isName ? { ...event.args, name: `${person}: ${event.args.name}` } : renumbered(event.args, pids)
  return {
    ...event,
    pid: pids.get(event.pid) ?? event.pid,
    args: recordOf(args),
    ...(id !== undefined && { id: `${person}-${id}` }),
    ...(id2?.global !== undefined && { id2: { ...id2, global: `${person}-${id2.global}` } }),
    ...((typeof bind === 'string' || typeof bind === 'number') && { bind_id: `${person}-${bind}` }),
  }
}

/** Replaces `processId` wherever an event names a process, such as that of a frame. */
function renumbered(value: unknown, pids: ReadonlyMap<number, number>): unknown {
  if (Array.isArray(value)) return value.map((item) => renumbered(item, pids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      key === 'processId' && typeof field === 'number' ? (pids.get(field) ?? field) : renumbered(field, pids),
    ]),
  )
}
