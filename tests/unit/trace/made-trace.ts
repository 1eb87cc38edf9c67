import type { Position } from '../../trace/source-maps.ts'
import type { TraceEvent } from '../../trace/trace-file.ts'

export const ORIGIN = 'http://localhost:1234'
export const SCRIPT = `${ORIGIN}/assets/app-1.js`
const [PID, PAGE, WORKER] = [7, 1, 2]

export function event(name: string, ts: number, more: Partial<TraceEvent> = {}): TraceEvent {
  return { name, cat: 'devtools.timeline', ph: 'X', pid: PID, tid: PAGE, ts, args: {}, ...more }
}

const data = (fields: Record<string, unknown>) => ({ args: { data: fields } })

function position(id: number, functionName: string, lineNumber: number) {
  return { id, callFrame: { functionName, url: SCRIPT, lineNumber, columnNumber: 0 } }
}

/** A page and a worker in two phases, of 100 ms and 40 ms. */
export function madeTrace(): TraceEvent[] {
  return [
    event('thread_name', 0, { ph: 'M', args: { name: 'CrRendererMain' } }),
    event('thread_name', 0, { ph: 'M', tid: WORKER, args: { name: 'DedicatedWorker thread' } }),
    event(
      'TracingSessionIdForWorker',
      1,
      data({ workerThreadId: WORKER, url: `${ORIGIN}/assets/network.worker-Ab.js` }),
    ),
    event('phase match', 100_000, { cat: 'blink.user_timing', ph: 'I' }),
    event('phase call', 200_000, { cat: 'blink.user_timing', ph: 'I' }),
    // Of 30 ms, a third of them in the next phase.
    event('RunTask', 180_000, { dur: 30_000 }),
    event('RunTask', 185_000, { dur: 5_000 }),
    event('RunTask', 120_000, { dur: 4_000, tid: WORKER }),
    event('RunTask', 230_000, { dur: 10_000 }),
    event('Layout', 181_000, { dur: 2_000 }),
    event('Layout', 186_000, { dur: 1_000, tid: WORKER }),
    event('UpdateLayoutTree', 205_000, { dur: 500 }),
    event('ResourceSendRequest', 130_000, { ph: 'I', ...data({ requestId: '1' }) }),
    event('ResourceFinish', 210_000, { ph: 'I', ...data({ requestId: '1', encodedDataLength: 1_500 }) }),
    event('UpdateCounters', 190_000, { ph: 'I', ...data({ jsHeapSizeUsed: 5_000_000 }) }),
    event('FunctionCall', 231_000, {
      dur: 8_000,
      ...data({ functionName: 'c', url: SCRIPT, lineNumber: 2, columnNumber: 0 }),
    }),
    event('Profile', 180_000, { ph: 'P', id: '0x1', ...data({ startTime: 180_000 }) }),
    event('ProfileChunk', 220_000, {
      ph: 'P',
      tid: 9,
      id: '0x1',
      ...data({
        cpuProfile: {
          nodes: [position(1, '(idle)', -1), position(2, 'a', 0), position(3, 'b', 1)],
          samples: [2, 3, 2, 1],
        },
        timeDeltas: [1_000, 4_000, 12_000, 8_000],
      }),
    }),
  ]
}

export const plainName = ({ name }: Position) => name
