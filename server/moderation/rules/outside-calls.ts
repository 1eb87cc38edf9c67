import { MINUTE_MS } from '#protocol/durations.ts'
import type { Provider } from '#protocol/fields.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type CallGraph, CIRCLE_MAX, closedCircle, exploreCalls } from './closed-circle.ts'
import { batchOf } from './report-weight.ts'

/** What an account shares with others: the batch in which it was created, and keyed digests of its networks of the last weeks. */
export type Origin = { id: string; provider: Provider; createdAt: number; networks: readonly string[] }

/** Calls of the last 30 days that lasted at least `KEPT_CALL_MS` and that both sides confirmed. */
export interface KeptCalls {
  /** Resolves with the partners of each of these accounts. */
  partnersOf(ids: readonly string[]): Promise<CallGraph>
  originsOf(ids: readonly string[]): Promise<Origin[]>
  /** Resolves with the number of accounts with kept calls, at most `most`. */
  callers(most: number): Promise<number>
}

/** From this number of callers on, `CIRCLE_MAX` limits a circle, not the half of the callers; so no higher number is counted. */
export const CALLERS_MAX = 2 * CIRCLE_MAX
/** Least time between two counts of the callers; a count reads all matches of the last 30 days. */
const COUNT_EVERY_MS = 10 * MINUTE_MS

/**
 * Returns the same calls, but `callers` resolves at once with the last count, and counts in the background. Before the
 * first count it resolves with `most`, with which circles of up to `CIRCLE_MAX` are closed.
 */
export function withRememberedCallers(
  calls: KeptCalls,
  clock: Pick<Clock, 'now'>,
  runInBackground: (what: string, work: Promise<unknown>) => void,
): KeptCalls {
  let known: number | null = null
  let countAt = clock.now()
  const count = async (most: number) => {
    known = await calls.callers(most)
  }
  return {
    ...calls,
    async callers(most) {
      const now = clock.now()
      if (now >= countAt) {
        countAt = now + COUNT_EVERY_MS
        runInBackground('moderation: the callers were not counted', count(most))
      }
      return known ?? most
    },
  }
}

const batch = ({ provider, createdAt }: Origin) => batchOf(provider, createdAt)

/** Counts the groups of accounts that share a key. An account without a key is a group alone. */
function groups(origins: readonly Origin[], keysOf: (origin: Origin) => readonly string[]): number {
  const seen = new Set<string>()
  let count = 0
  for (const origin of origins) {
    const keys = keysOf(origin)
    if (!keys.some((key) => seen.has(key))) count += 1
    for (const key of keys) seen.add(key)
  }
  return count
}

/**
 * Counts the partners of the reporter's kept calls outside the reporter's network, batch and closed circle. Partners who share a network or
 * a batch with each other count once.
 */
export async function outsideCalls(reporter: string, calls: KeptCalls): Promise<number> {
  const partners = (await calls.partnersOf([reporter])).get(reporter) ?? new Set()
  if (partners.size === 0) return 0
  const origins = await calls.originsOf([reporter, ...partners])
  const own = origins.find(({ id }) => id === reporter)
  const strangers = origins.filter(
    (one) =>
      one.id !== reporter &&
      own !== undefined &&
      batch(one) !== batch(own) &&
      !one.networks.some((network) => own.networks.includes(network)),
  )
  if (strangers.length === 0) return 0
  const graph = await exploreCalls(reporter, (ids) => calls.partnersOf(ids))
  const circle = closedCircle(graph, await calls.callers(CALLERS_MAX))
  const outside = strangers.filter(({ id }) => !circle.has(id))
  return Math.min(
    groups(outside, ({ networks }) => networks),
    groups(outside, (one) => [batch(one)]),
  )
}
