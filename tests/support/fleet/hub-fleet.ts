import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { FleetRouter } from '../../../server/fleet/fleet-router.ts'
import { RedisFleet } from '../../../server/fleet/redis-fleet.ts'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { type HubServer, hubWorld, queueOptionsOf, startHub, unlimitedRates } from '../hub/hub-fakes.ts'
import type { RedisServer } from '../servers/redis.ts'

const realClock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

let pools = 0

type Placed = { regions?: string[]; spillAfterMs?: number }

/** Several hubs in one process that find each other in a Redis and share one store, each in a region where any are named. */
export async function hubsForTest(count: number, redis: RedisServer, { regions = [], ...times }: Placed = {}) {
  pools += 1
  const pool = `pool-${process.pid}-${pools}`
  const world = hubWorld(realClock)
  const log = pino({ level: process.env.HUB_LOG ?? 'silent' })
  async function add(region = ''): Promise<HubServer> {
    const deps = { ...world.deps, ...times, region, newId: randomUUID, rates: unlimitedRates }
    const { clock, matchRecords } = deps
    const queue = queueOptionsOf(deps)
    const client = redisClient(redis.url, log)
    await client.connect()
    onTestFinished(() => client.destroy())
    const fleet = new RedisFleet({ client, pool, matchRecords, queue, clock, newId: randomUUID, log })
    const server = await startHub({ ...deps, router: new FleetRouter({ fleet, clock, log: deps.log }) })
    onTestFinished(server.stop)
    return server
  }
  const hubs: HubServer[] = []
  for (let index = 0; index < count; index += 1) hubs.push(await add(regions[index]))
  const [first, second] = hubs
  if (!first || !second) throw new Error('a fleet has two servers or more')
  return { ...world, hubs, first, second, add }
}
