import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Platform } from '../platform/platform.ts'
import { RedisFleet } from './redis-fleet.ts'
import type { Fleet } from './rules/fleet.ts'

/** All users are in one pool, with a queue of each region. */
const POOL = 'world'

/** The servers that are one hub together with this one; null where this server is the only one. */
export function composeFleet(platform: Platform, matchRecords: MatchRecords): Fleet | null {
  const { redis, clock, newId, log } = platform
  return (
    redis &&
    new RedisFleet({ client: redis, pool: POOL, matchRecords, clock, newId, log: log.child({ part: 'fleet' }) })
  )
}
