import { createRing, type Ring } from './limited.ts'

/** The requests to a method of a worker. Times in ms, of the last `KEPT` requests; `count` is of all. */
export type RequestRow = { method: string; count: number } & Record<Part, Percentiles>
type Percentiles = { p50: number; p95: number }
type Part = 'queue' | 'work' | 'reply'

/** Number of requests of a method whose times are kept. */
const KEPT = 200
/** Matches the labels of `workers/rpc.ts`, such as "queue request #12". */
const LABEL = /^(queue|work|reply) (\S+) #\d+$/

/** Returns the smallest value that `share` of the values do not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const newRow = () => ({
  count: 0,
  queue: createRing<number>(KEPT),
  work: createRing<number>(KEPT),
  reply: createRing<number>(KEPT),
})

/** Collects the requests to workers by method. */
export function createRequestTable() {
  const methods = new Map<string, ReturnType<typeof newRow>>()
  return {
    /** Takes a span of the track "Workers". */
    take(label: string, ms: number): void {
      const [, part, method] = LABEL.exec(label) ?? []
      if (!part || !method) return
      const row = methods.get(method) ?? newRow()
      methods.set(method, row)
      if (part === 'queue') row.count += 1
      // The clocks of two threads differ a little, so `ms` may be negative.
      row[part as Part].add(Math.max(0, ms))
    },

    rows: () =>
      [...methods].map(([method, { count, queue, work, reply }]): RequestRow => {
        return { method, count, queue: percentilesOf(queue), work: percentilesOf(work), reply: percentilesOf(reply) }
      }),
  }
}

function percentilesOf(ring: Ring<number>): Percentiles {
  const values = ring.items()
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) }
}
