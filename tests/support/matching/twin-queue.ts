import { expect } from 'vitest'
import { MatchQueue, type QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { namesOf } from './queue-terms.ts'

/** Lots in the order in which they are drawn, so that two queues which draw them differ in nothing. */
function inOrder(): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return drawn / 1e6
  }
}

/** The queue that `make` answers, which rejects as soon as it does anything else than the one in memory. */
export async function twinQueue(
  make: (options: QueueOptions) => Queue | Promise<Queue>,
  options: QueueOptions,
): Promise<Queue> {
  const queue = await make({ ...options, random: inOrder() })
  const twin = new MatchQueue({ ...options, random: inOrder() })

  async function both<T>(step: (queue: Queue) => T, compare: (one: Awaited<T>) => unknown): Promise<Awaited<T>> {
    const [answer, other] = [await step(queue), await step(twin)]
    expect(compare(answer)).toEqual(compare(other))
    expect(queue.nextTick()).toBe(twin.nextTick())
    return answer
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
        (place) => place && [place.since, place.region],
      ),
    nextTick: () => queue.nextTick(),
    counts: () => queue.counts(),
  }
}
