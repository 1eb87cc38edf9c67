import { expect } from 'vitest'
import { MatchQueue, type QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { namesOf } from './queue-terms.ts'

/** Returns increasing lots, the same for every queue. */
function increasingLots(): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return drawn / 1e6
  }
}

/** Returns the queue that `make` returns; a step rejects when its result differs from that of the queue in memory. */
export async function twinQueue(
  make: (options: QueueOptions) => Queue | Promise<Queue>,
  options: QueueOptions,
): Promise<Queue> {
  const queue = await make({ ...options, random: increasingLots() })
  const twin = new MatchQueue({ ...options, random: increasingLots() })

  async function both<T>(step: (queue: Queue) => T, compare: (one: Awaited<T>) => unknown): Promise<Awaited<T>> {
    const [result, expected] = [await step(queue), await step(twin)]
    expect(compare(result)).toEqual(compare(expected))
    expect(queue.nextTick()).toBe(twin.nextTick())
    return result
  }
  const nothing = () => null
  return {
    join: (...args) => both((one) => one.join(...args), namesOf),
    restore: (...args) => both((one) => one.restore(...args), namesOf),
    resume: (...args) => both((one) => one.resume(...args), namesOf),
    tick: (...args) => both((one) => one.tick(...args), namesOf),
    hold: (...args) => both((one) => one.hold(...args), nothing),
    drop: (...args) => both((one) => one.drop(...args), nothing),
    leave: (...args) => both((one) => one.leave(...args), nothing),
    block: (...args) => both((one) => one.block(...args), nothing),
    find: (...args) =>
      both(
        (one) => one.find(...args),
        (entry) => entry && [entry.since, entry.region, entry.apart],
      ),
    nextTick: () => queue.nextTick(),
    counts: () => queue.counts(),
    waiting: queue.waiting,
    speakers: queue.speakers,
  }
}
