import type { Span } from '#workers/trace.ts'
import { limits } from './findings.ts'
import { createRing } from './ring.ts'
import { createTally, type Place } from './tally.ts'
import { nameOf } from './waterfall.ts'

type Time = { start: number; end: number }
type Wait = Time & { method: string }

const KEPT = 500
const QUEUE = /^queue (\S+) #\d+$/
const TASK = /^task (\S+) #\d+$/
/** A wait of which the worker computes more than this share is a busy worker's. */
const BUSY_SHARE = 0.5

/** Finds slow places in the spans that the product draws anyway. */
export function createSpanPlaces() {
  const tasks = createTally()
  const lost = createTally()
  const provider = createTally()
  const waits = createRing<Wait>(KEPT)
  const busy = createRing<Time>(KEPT)

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
    tasks: tasks.places,
    lost: lost.places,
    provider: provider.places,
    /** Only now, because a task is known after the requests that waited for it. All methods share a queue. */
    waits(): Place[] {
      const tally = createTally()
      const tasksOf = busy.items()
      for (const { method, start, end } of waits.items())
        if (busyMs(tasksOf, start, end) < (end - start) * BUSY_SHARE) tally.add(method, end - start)
      return joined(tally.places())
    },
  }
}

function busyMs(tasks: readonly Time[], start: number, end: number): number {
  return tasks.reduce((sum, task) => sum + Math.max(0, Math.min(end, task.end) - Math.max(start, task.start)), 0)
}

/** One place with the names of the methods. */
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
