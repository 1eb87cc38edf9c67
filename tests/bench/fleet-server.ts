import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { FleetRouter } from '../../server/fleet/fleet-router.ts'
import { RedisFleet } from '../../server/fleet/redis-fleet.ts'
import { redisClient } from '../../server/platform/redis/redis-client.ts'
import { hubWorld, queueOptionsOf, startHub, unlimitedRates } from '../support/hub/hub-fakes.ts'
import { realClock } from './bench-hub.ts'

/** A hub of a fleet in a process of its own, with the Redis at `url`, records in memory and no exclusions. */

const [url = '', pool = ''] = process.argv.slice(2)
function memory(): number {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const log = pino({ level: 'fatal' })
const client = redisClient(url, log)
await client.connect()
const { deps } = hubWorld(realClock)
const { matchRecords } = deps
const queue = { ...queueOptionsOf(deps), random: Math.random }
const fleet = new RedisFleet({ client, pool, matchRecords, queue, clock: realClock, newId: randomUUID, log })
const server = await startHub({
  ...deps,
  newId: randomUUID,
  matchTimeoutMs: 600_000,
  relations: {
    ...deps.relations,
    blockedWith: async () => [],
    metBy: async () => [],
    recordMet: async () => undefined,
  },
  presence: { seen: () => undefined, count: () => 0 },
  log,
  rates: unlimitedRates,
  router: new FleetRouter({ fleet, clock: realClock, log }),
})
console.log(server.url)
createInterface({ input: process.stdin }).on('line', () => console.log(memory()))
