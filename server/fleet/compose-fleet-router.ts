import type { HubRouter } from '../hub/hub-router.ts'
import type { QueueOptions } from '../matching/rules/match-queue.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Platform } from '../platform/platform.ts'
import type { RedisClient } from '../platform/redis/redis-client.ts'
import { FleetRouter } from './fleet-router.ts'
import { RedisFleet } from './redis-fleet.ts'
import { RegionsRouter } from './regions-router.ts'

/** All users are in a single pool, with a queue for each region. */
const POOL = 'world'

/** The router of a server that forms one hub together with other servers. */
export function composeFleetRouter(
  platform: Platform,
  client: RedisClient,
  matching: { matchRecords: MatchRecords; queueOptions: QueueOptions },
): HubRouter {
  const { clock, newId, config, otherRegions } = platform
  const log = platform.log.child({ part: 'fleet' })
  const { matchRecords, queueOptions: queue } = matching
  const options = { pool: POOL, queue, clock, newId, log }
  if (otherRegions.length === 0)
    return new FleetRouter({ fleet: new RedisFleet({ ...options, client, matchRecords }), clock, log })
  const orphans = async () => router.claimOrphans(await matchRecords.all())
  const ownRecords = { ...matchRecords, all: orphans }
  const router: RegionsRouter = new RegionsRouter({
    name: config.region,
    fleet: new RedisFleet({ ...options, client, matchRecords: ownRecords }),
    others: otherRegions.map(({ name, redis }) => ({
      name,
      fleet: new RedisFleet({ ...options, client: redis, isGuest: true, matchRecords }),
    })),
    spillAfterMs: queue.spillAfterMs,
    clock,
    log,
  })
  return router
}
