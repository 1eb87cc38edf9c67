import type { Newcomer, Pair, RegionCounts } from './match-queue.ts'
import type { QueueEntry } from './waiting-list.ts'

/** Now where it can be, later where it must. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once with what is there at once. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The one line of all who wait for a partner, as `MatchQueue` describes it, be it in this process or of many servers. */
export interface Queue {
  join(user: string, newcomer: Newcomer, now: number): MaybePromise<Pair[]>
  restore(place: QueueEntry, now: number): MaybePromise<Pair[]>
  hold(place: QueueEntry, now: number): MaybePromise<void>
  drop(user: string, now: number): MaybePromise<void>
  resume(user: string, region: string, now: number): MaybePromise<Pair[]>
  leave(user: string): MaybePromise<void>
  block(one: string, other: string): MaybePromise<void>
  tick(now: number): MaybePromise<Pair[]>
  /** As far as this server knows. */
  nextTick(): number | null
  find(user: string): MaybePromise<{ since: number; region: string } | null>
  /** Of those whom this server is to tell of. */
  counts(): RegionCounts
  /** Pairs that were found elsewhere and that this server is to bring together; it may know of some. */
  unopened?(): MaybePromise<Pair[]>
}
