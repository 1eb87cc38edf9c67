import { Pool } from '../../../server/fleet/pool.ts'
import { RedisQueue } from '../../../server/matching/redis/redis-queue.ts'
import type { Pair, QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import type { RedisClient } from '../../../server/platform/redis/redis-client.ts'
import { fakeClock } from '../fake-clock.ts'

/** Returns the queue of one pool. The matches of its pairs are opened at once, as the hub does. */
export function queueInRedis(client: RedisClient, name: string, options: QueueOptions): Queue {
  const pool = new Pool(client, name)
  const self = 'server'
  const queue = new RedisQueue({ pool, self: () => self, clock: fakeClock(), ...options })
  let matches = 0

  async function opened(made: Promise<Pair[]>): Promise<Pair[]> {
    for (const { caller, callee } of await made) {
      matches += 1
      const match = { id: `s${matches}`, caller: caller.user, callee: callee.user, startedAt: 0, connected: false }
      await pool.run('opened', { self, ...match })
    }
    return made
  }

  return {
    join: (...args) => opened(queue.join(...args)),
    restore: (...args) => opened(queue.restore(...args)),
    resume: (...args) => opened(queue.resume(...args)),
    tick: (...args) => opened(queue.tick(...args)),
    hold: (...args) => queue.hold(...args),
    drop: (...args) => queue.drop(...args),
    leave: (...args) => queue.leave(...args),
    block: (...args) => queue.block(...args),
    find: (...args) => queue.find(...args),
    nextTick: () => queue.nextTick(),
    counts: () => queue.counts(),
    waiting: queue.waiting,
    speakers: queue.speakers,
  }
}
