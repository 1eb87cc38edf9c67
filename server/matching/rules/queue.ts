import type { Newcomer, Pair, RegionCounts } from './match-queue.ts'
import type { Speakers } from './speakers.ts'
import type { QueueEntry } from './waiting-list.ts'

/** A queue in memory returns values; a queue in Redis returns promises. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with the value: synchronously, or after the promise has resolved. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The waiting users, without absent users; a `Set` or `Map` has this interface. */
export interface WaitingUsers {
  readonly size: number
  has(user: string): boolean
  keys(): Iterable<string>
}

export type FoundEntry = Pick<QueueEntry, 'since' | 'region' | 'apart'>

/** The queue of all users who wait for a partner, as `MatchQueue` describes it: in this process, or shared by many servers. */
export interface Queue {
  /** A user counts as waiting on one server only, so the sum over all servers is right. Costs no scan. */
  readonly waiting: WaitingUsers
  /** The languages of the waiting users. */
  readonly speakers: Pick<Speakers, 'counts' | 'of'>
  join(user: string, newcomer: Newcomer, now: number): MaybePromise<Pair[]>
  restore(entry: QueueEntry, now: number): MaybePromise<Pair[]>
  hold(entry: QueueEntry, now: number): MaybePromise<void>
  drop(user: string, now: number): MaybePromise<void>
  resume(user: string, region: string, now: number): MaybePromise<Pair[]>
  leave(user: string): MaybePromise<void>
  block(one: string, other: string): MaybePromise<void>
  tick(now: number): MaybePromise<Pair[]>
  /**
   * Returns when `tick` must run next; null if this server need not run it. Only one server ticks a shared queue, which returns the time in
   * the last reply of Redis.
   */
  nextTick(): number | null
  find(user: string): MaybePromise<FoundEntry | null>
  /** A user counts on one server only, so the sum over all servers is right. */
  counts(): RegionCounts
  /** Returns the pairs that other servers made and this server must announce. May repeat pairs returned before. */
  unopened?(): MaybePromise<Pair[]>
}
