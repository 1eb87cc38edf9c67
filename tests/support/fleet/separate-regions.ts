import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { RedisFleet } from '../../../server/fleet/redis-fleet.ts'
import { RegionsRouter } from '../../../server/fleet/regions-router.ts'
import { open, redisClient } from '../../../server/platform/redis/redis-client.ts'
import { systemClock } from '../../../server/platform/system-clock.ts'
import { type HubServer, hubWorld, queueOptionsOf, startHub, UNHURRIED_MS, unlimitedRates } from '../hub/hub-fakes.ts'

let pools = 0

/** Starts hubs in this process, one in each of `names`, on one store and with the Redis of their region at `redisUrls[name]`. */
export async function startRegions(
  names: string[],
  redisUrls: Record<string, string>,
  { spillAfterMs, ...times }: { spillAfterMs: number; giveUpAfterMs?: number },
) {
  pools += 1
  const pool = `regions-${process.pid}-${pools}`
  const world = hubWorld(systemClock)
  const log = pino({ level: process.env.HUB_LOG ?? 'silent' })

  async function add(region: string): Promise<HubServer> {
    const deps = {
      ...world.deps,
      matchTimeoutMs: UNHURRIED_MS,
      spillAfterMs,
      region,
      newId: randomUUID,
      rates: unlimitedRates,
    }
    const { clock, matchRecords } = deps
    const queue = queueOptionsOf(deps)
    async function fleetOf(name: string): Promise<RedisFleet> {
      const client = redisClient(redisUrls[name] ?? '', log)
      await open(client)
      onTestFinished(() => client.destroy())
      return new RedisFleet({
        client,
        pool,
        isGuest: name !== region,
        matchRecords,
        queue,
        clock,
        newId: randomUUID,
        log,
      })
    }
    const others = []
    for (const name of Object.keys(redisUrls)) if (name !== region) others.push({ name, fleet: await fleetOf(name) })
    const router = new RegionsRouter({
      name: region,
      fleet: await fleetOf(region),
      others,
      spillAfterMs,
      ...times,
      clock,
      log,
    })
    const server = await startHub({ ...deps, router })
    onTestFinished(server.stop)
    return server
  }
  const hubs: HubServer[] = []
  for (const name of names) hubs.push(await add(name))
  return { ...world, hubs, pool }
}
