import { functionsWithin, readSamples } from './profile-samples.ts'
import { type Renders, readRenders, rendersWithin } from './renders.ts'
import type { Position } from './source-maps.ts'
import { dataOf, numberOf, type TraceEvent, textOf } from './trace-file.ts'

/** Begins the names of the marks with which the driver divides a trace into phases. */
export const PHASE_MARK = 'phase '
/** What is recorded after the mark of this phase belongs to no phase. */
export const END_PHASE = 'end'

type LongTask = {
  phase: string
  thread: string
  startMs: number
  ms: number
  /** Milliseconds that the thread computed. The rest it waited: for the processor on a busy machine, or for another thread. */
  processorMs: number
  functions: { name: string; ms: number }[]
}

type Count = { count: number; ms: number }

export type Phase = {
  name: string
  ms: number
  /** Milliseconds in tasks by thread of the page's process. */
  threads: Record<string, number>
  layouts: Count
  styles: Count
  requests: { count: number; bytes: number }
  /** Largest JavaScript heap of the page, in bytes. */
  heap: number
  /** Components by their renders; none where the build draws no tracks of React. */
  renders: Renders[]
}

export type Analysis = {
  phases: Phase[]
  longest: LongTask[]
  /** Those that computed most, whatever they waited. */
  busiest: LongTask[]
}

type Interval = { name: string; start: number; end: number }
type Task = { thread: string; threadKey: string; start: number; end: number; processor: number }

const LONGEST = 10
const BUSIEST = 5

/** Reads what the summary says of one person's trace. */
export function analyse(events: readonly TraceEvent[], nameOf: (position: Position) => string): Analysis {
  const timed = events.filter(({ ph }) => ph !== 'M')
  const marks = timed.filter(({ name, cat }) => cat.includes('blink.user_timing') && name.startsWith(PHASE_MARK))
  const [first] = marks
  if (!first) throw new Error('The trace has no phase mark')
  const own = timed.filter(({ pid }) => pid === first.pid)
  const phases = phasesOf(marks, lastTime(timed))
  const tasks = tasksOf(own, threadNames(events, first.pid))
  const renders = readRenders(own)
  return {
    phases: phases.map((phase) => ({
      ...phaseOf(phase, own, tasks, first.tid),
      renders: rendersWithin(renders, phase.start, phase.end),
    })),
    ...longTasks(phases, tasks, own, nameOf),
  }
}

function phasesOf(marks: readonly TraceEvent[], end: number): Interval[] {
  const sorted = [...marks].sort((one, other) => one.ts - other.ts)
  const phases = sorted.map(({ name, ts }, index) => ({
    name: name.slice(PHASE_MARK.length),
    start: ts,
    end: sorted[index + 1]?.ts ?? end,
  }))
  return phases.filter(({ name }) => name !== END_PHASE)
}

function lastTime(events: readonly TraceEvent[]): number {
  let last = 0
  for (const { ts, dur = 0 } of events) last = Math.max(last, ts + dur)
  return last
}

/** Names the threads of a process: the page's, each worker's by its script, and the browser's own by what it calls them. */
function threadNames(events: readonly TraceEvent[], pid: number): Map<number, string> {
  const names = new Map<number, string>()
  for (const event of events) {
    if (event.pid !== pid) continue
    if (event.name === 'thread_name' && !names.has(event.tid)) {
      const name = textOf(event.args.name)
      names.set(event.tid, name === 'CrRendererMain' ? 'page' : name)
    }
    if (event.name === 'TracingSessionIdForWorker') {
      const { workerThreadId, url } = dataOf(event)
      const [, worker] = /\/([\w-]+?)[.-]worker/.exec(textOf(url)) ?? []
      names.set(numberOf(workerThreadId), worker ?? textOf(url).split('/').at(-1) ?? 'worker')
    }
  }
  return names
}

function tasksOf(events: readonly TraceEvent[], names: ReadonlyMap<number, string>): Task[] {
  const ends = new Map<number, number>()
  const tasks: Task[] = []
  const runs = events.filter(({ name, ph }) => name === 'RunTask' && ph === 'X').sort((one, other) => one.ts - other.ts)
  for (const { tid, pid, ts, dur = 0, tdur = dur } of runs) {
    // A task that runs within another, such as of a nested event loop, is part of it.
    if (ts < (ends.get(tid) ?? 0)) continue
    ends.set(tid, ts + dur)
    const thread = names.get(tid) ?? `thread ${tid}`
    tasks.push({ thread, threadKey: `${pid}:${tid}`, start: ts, end: ts + dur, processor: tdur })
  }
  return tasks
}

function phaseOf(
  phase: Interval,
  own: readonly TraceEvent[],
  tasks: readonly Task[],
  pageThread: number,
): Omit<Phase, 'renders'> {
  const threads: Record<string, number> = {}
  for (const { thread, start, end } of tasks) {
    const overlap = Math.min(end, phase.end) - Math.max(start, phase.start)
    if (overlap > 0) threads[thread] = (threads[thread] ?? 0) + overlap / 1_000
  }
  const within = own.filter(({ ts }) => ts >= phase.start && ts < phase.end)
  const onPage = within.filter(({ tid }) => tid === pageThread)
  const requested = within.filter(({ name }) => name === 'ResourceSendRequest')
  const finished = within.filter(({ name }) => name === 'ResourceFinish')
  const heaps = onPage
    .filter(({ name }) => name === 'UpdateCounters')
    .map((event) => numberOf(dataOf(event).jsHeapSizeUsed))
  return {
    name: phase.name,
    ms: (phase.end - phase.start) / 1_000,
    threads,
    layouts: countOf(onPage, ['Layout']),
    styles: countOf(onPage, ['UpdateLayoutTree', 'RecalculateStyles']),
    requests: {
      count: requested.length,
      bytes: finished.reduce((sum, event) => sum + Math.max(0, numberOf(dataOf(event).encodedDataLength)), 0),
    },
    heap: heaps.reduce((most, heap) => Math.max(most, heap), 0),
  }
}

/** Counts events that are complete or have a beginning. */
function countOf(events: readonly TraceEvent[], names: readonly string[]): Count {
  const found = events.filter(({ name, ph }) => names.includes(name) && (ph === 'X' || ph === 'B'))
  return { count: found.length, ms: found.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1_000 }
}

function longTasks(
  phases: readonly Interval[],
  tasks: readonly Task[],
  own: readonly TraceEvent[],
  nameOf: (position: Position) => string,
): Pick<Analysis, 'longest' | 'busiest'> {
  const samples = readSamples(own)
  const [began] = phases
  const ended = phases.at(-1)?.end ?? 0
  const within = tasks.filter(({ start }) => start < ended)
  const most = (count: number, lengthOf: (task: Task) => number) =>
    within
      .toSorted((one, other) => lengthOf(other) - lengthOf(one))
      .slice(0, count)
      .map(described)

  function described({ thread, threadKey, start, end, processor }: Task): LongTask {
    const sampled = functionsWithin(samples.get(threadKey) ?? [], [start, end], nameOf)
    return {
      phase: phases.findLast((phase) => phase.start <= start)?.name ?? 'before',
      thread,
      startMs: (start - (began?.start ?? start)) / 1_000,
      ms: (end - start) / 1_000,
      processorMs: processor / 1_000,
      functions: (sampled.length > 0 ? sampled : calledWithin(own, threadKey, [start, end], nameOf)).slice(0, 3),
    }
  }

  return {
    longest: most(LONGEST, ({ start, end }) => end - start),
    busiest: most(BUSIEST, ({ processor }) => processor),
  }
}

/** The functions that the browser called in a task, for a task shorter than the profiler's interval. */
function calledWithin(
  own: readonly TraceEvent[],
  threadKey: string,
  [start, end]: readonly [number, number],
  nameOf: (position: Position) => string,
): { name: string; ms: number }[] {
  const spent = new Map<string, number>()
  for (const event of own) {
    if (event.name !== 'FunctionCall' || `${event.pid}:${event.tid}` !== threadKey) continue
    if (event.ts < start || event.ts >= end) continue
    const { url, lineNumber, columnNumber, functionName } = dataOf(event)
    const [line, column] = [numberOf(lineNumber), numberOf(columnNumber)]
    const name = nameOf({ url: textOf(url), line, column, name: textOf(functionName) })
    spent.set(name, (spent.get(name) ?? 0) + (event.dur ?? 0))
  }
  return [...spent].map(([name, us]) => ({ name, ms: us / 1_000 })).sort((one, other) => other.ms - one.ms)
}
