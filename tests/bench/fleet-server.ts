import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { RedisFleet } from '../../server/fleet/redis-fleet.ts'
import { redisClient } from '../../server/platform/redis/redis-client.ts'
import { hubWorld, startHub, unlimitedRates } from '../support/hub/hub-fakes.ts'
import { realClock } from './bench-hub.ts'

/** A hub of a fleet in a process of its own: the Redis at `url`, records in memory, nobody excluded. */

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
const server = await startHub({
  ...deps,
  newId: randomUUID,
  random: Math.random,
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
  fleet: new RedisFleet({ client, pool, matchRecords, clock: realClock, newId: randomUUID, log }),
})
console.log(server.url)
createInterface({ input: process.stdin }).on('line', () => console.log(memory()))
