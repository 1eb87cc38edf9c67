import type { Position } from './source-maps.ts'
import { dataOf, numberOf, recordOf, type TraceEvent, textOf } from './trace-file.ts'

/** One sample of a thread's processor profile: where it was from `ts`, for `dur` microseconds. */
type Sample = { ts: number; dur: number; position: Position }

const NO_FUNCTION = new Set(['(root)', '(program)', '(idle)'])

/** Reads the processor profiles of a trace. Returns the samples within a function by `pid:tid` of their thread. */
export function readSamples(events: readonly TraceEvent[]): Map<string, Sample[]> {
  const profiles = new Map<string, { thread: string; ts: number; positions: Map<number, Position> }>()
  for (const event of events)
    if (event.name === 'Profile')
      profiles.set(`${event.pid}:${event.id}`, {
        thread: `${event.pid}:${event.tid}`,
        ts: numberOf(dataOf(event).startTime),
        positions: new Map(),
      })
  const samples = new Map<string, Sample[]>()
  for (const event of events) {
    const profile = event.name === 'ProfileChunk' ? profiles.get(`${event.pid}:${event.id}`) : undefined
    if (!profile) continue
    const data = dataOf(event)
    const { nodes, samples: ids } = recordOf(data.cpuProfile)
    for (const node of listOf(nodes)) {
      const { id, callFrame } = recordOf(node)
      profile.positions.set(numberOf(id), positionOf(recordOf(callFrame)))
    }
    const deltas = listOf(data.timeDeltas).map(numberOf)
    const ofThread = samples.get(profile.thread) ?? []
    samples.set(profile.thread, ofThread)
    for (const [index, id] of listOf(ids).entries()) {
      profile.ts += deltas[index] ?? 0
      const last = ofThread.at(-1)
      if (last) last.dur = profile.ts - last.ts
      const position = profile.positions.get(numberOf(id))
      if (position) ofThread.push({ ts: profile.ts, dur: 0, position })
    }
  }
  for (const [thread, ofThread] of samples)
    samples.set(
      thread,
      ofThread.filter(({ position }) => !NO_FUNCTION.has(position.name)),
    )
  return samples
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function positionOf({ url, lineNumber, columnNumber, functionName }: Record<string, unknown>): Position {
  return { url: textOf(url), line: numberOf(lineNumber), column: numberOf(columnNumber), name: textOf(functionName) }
}

/** The functions in which a thread spent most of its own time from `start` to `end`, most first. */
export function functionsWithin(
  samples: readonly Sample[],
  [start, end]: readonly [number, number],
  nameOf: (position: Position) => string,
): { name: string; ms: number }[] {
  const spent = new Map<string, number>()
  for (const { ts, dur, position } of samples) {
    const overlap = Math.min(ts + dur, end) - Math.max(ts, start)
    if (overlap <= 0) continue
    const name = nameOf(position)
    spent.set(name, (spent.get(name) ?? 0) + overlap)
  }
  return [...spent].map(([name, us]) => ({ name, ms: us / 1_000 })).sort((one, other) => other.ms - one.ms)
}
