import type { QueueOptions } from '../matching/rules/match-queue.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Platform } from '../platform/platform.ts'
import type { RedisClient } from '../platform/redis/redis-client.ts'
import { FleetRouter } from './fleet-router.ts'
import { RedisFleet } from './redis-fleet.ts'

/** All users are in one pool, with a queue of each region. */
const POOL = 'world'

/** The router of a server that is one hub together with others. */
export function composeFleetRouter(
  platform: Platform,
  client: RedisClient,
  matching: { matchRecords: MatchRecords; queueOptions: QueueOptions },
): FleetRouter {
  const { clock, newId } = platform
  const log = platform.log.child({ part: 'fleet' })
  const { matchRecords, queueOptions: queue } = matching
  return new FleetRouter({
    fleet: new RedisFleet({ client, pool: POOL, matchRecords, queue, clock, newId, log }),
    clock,
    log,
  })
}
