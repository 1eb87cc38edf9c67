import type { Newcomer, Pair, RegionCounts } from './match-queue.ts'
import type { QueueEntry } from './waiting-list.ts'

/** Now where it can be, later where it must. */
export type Soon<T> = T | Promise<T>

/** Goes on at once with what is there at once. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The one line of all who wait for a partner, as `MatchQueue` describes it, be it in this process or of many servers. */
export interface Queue {
  join(user: string, newcomer: Newcomer, now: number): Soon<Pair[]>
  restore(place: QueueEntry, now: number): Soon<Pair[]>
  hold(place: QueueEntry, now: number): Soon<void>
  drop(user: string, now: number): Soon<void>
  resume(user: string, region: string, now: number): Soon<Pair[]>
  leave(user: string): Soon<void>
  block(one: string, other: string): Soon<void>
  tick(now: number): Soon<Pair[]>
  /** As far as this server knows. */
  nextTick(): number | null
  find(user: string): Soon<{ since: number; region: string } | null>
  /** Of those whom this server is to tell of. */
  counts(): RegionCounts
  /** Pairs that were found elsewhere and that this server is to bring together; it may know of some. */
  unopened?(): Soon<Pair[]>
}
