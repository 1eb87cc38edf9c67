import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { MINUTE_MS } from '#protocol/durations.ts'
import { redisCa } from '../config/certificates.ts'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import { keyedDigest } from './crypto.ts'
import { createPlatformRecords, type RecordsDatabase } from './database/records-database.ts'
import { inNetworks } from './http/client-address.ts'
import { type IdempotencyStore, keptInTwo, LocalIdempotencyStore } from './http/idempotency.ts'
import { createSharedIdempotencyStore } from './http/shared-idempotency.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { DecoderPool } from './pictures/decoder-pool.ts'
import type { RedisClient } from './redis/redis-client.ts'
import { AddressLimits } from './rules/address-limits.ts'
import type { Clock } from './rules/clock.ts'
import type { Counts } from './rules/counts.ts'
import { type CreateNotes, type CreateSums, createSharedMemory } from './shared-memory.ts'

export type PlatformDeps = {
  config: Config
  secrets: Secrets
  database: RecordsDatabase
  clock: Clock
  random: () => number
  newId: () => string
  /** Returns this server's own origins; called when the server listens. */
  ownOrigins: () => string[]
  log: FastifyBaseLogger
  /** The program that decodes pictures, instead of the program with the image library. */
  decoderProgram?: URL
}

/** What all features use. */
export type Platform = Omit<PlatformDeps, 'decoderProgram'> & {
  app: FastifyInstance
  /** Null for a server without other servers. */
  redis: RedisClient | null
  /** The Redis of each other region, which may be away. */
  otherRegions: readonly { name: string; redis: RedisClient }[]
  counts: Counts
  createNotes: CreateNotes
  createSums: CreateSums
  jobs: Jobs
  decoder: DecoderPool
  /** The token buckets of client addresses, for requests and for sockets of the hub. */
  addressLimits: AddressLimits
  /** True for an address of the operator's own proxies. */
  isProxy: (address: string) => boolean
  /** What every table of endpoints needs. */
  http: {
    secureCookies: boolean
    originAllowed: (origin: string | undefined) => boolean
    counts: Counts
    ownCounts: Counts
    idempotency: IdempotencyStore
  }
}

/** Endpoints whose results stay on one server: camera frames are sent most often, and a frame may be taken twice. */
const KEPT_HERE = new Set(['addVideoFrame'])

/** Returns the origins of `npm run dev`, whose proxy passes on the browser's Origin. */
function developmentOrigins(config: Config): string[] {
  return config.production || config.publicOrigin !== null ? [] : ['http://localhost:5173', 'http://127.0.0.1:5173']
}

/** Loads the Redis client only if Redis is configured: to load it takes a tenth of a server's start. */
async function openRedisAt(urls: string[], config: Config, log: FastifyBaseLogger): Promise<RedisClient> {
  const { openRedis } = await import('./redis/redis-cluster.ts')
  return openRedis(urls, log.child({ part: 'redis' }), redisCa(config))
}

/** Does not wait for other regions: a region that is away must not keep a server from starting. */
async function openOtherRegions(config: Config, log: FastifyBaseLogger): Promise<Platform['otherRegions']> {
  if (config.otherRegions.length === 0) return []
  const { createRedis } = await import('./redis/redis-cluster.ts')
  return config.otherRegions.map(({ name, redisUrls }) => {
    const ca = redisUrls.every((url) => url.startsWith('rediss:')) ? redisCa(config) : null
    const redis = createRedis(redisUrls, log.child({ part: 'redis', region: name }), ca)
    redis.connect().catch(() => undefined)
    return { name, redis }
  })
}

/** Opens the connections that the features share. They close with `app`, after everything that is registered later. */
export async function composePlatform(app: FastifyInstance, deps: PlatformDeps): Promise<Platform> {
  const { config, secrets, database, clock, newId, ownOrigins, log, decoderProgram } = deps
  const redis = config.redisUrls && (await openRedisAt(config.redisUrls, config, log))
  app.addHook('onClose', async () => redis?.destroy())
  const otherRegions = await openOtherRegions(config, log)
  app.addHook('onClose', async () => {
    for (const other of otherRegions) other.redis.destroy()
  })
  const decoder = new DecoderPool({
    clock,
    log: log.child({ part: 'pictures' }),
    ...(decoderProgram && { program: decoderProgram }),
  })
  app.addHook('onClose', () => decoder.stop())
  // A separate key, because the digests stand for people and addresses.
  const digest = keyedDigest(keyedDigest(secrets.jwt)('memory'))
  const { counts, ownCounts, createNotes, createSums } = createSharedMemory({ redis, digest, clock, log })
  const jobs = createJobs({ clock, log })
  const { idempotency } = database.records(createPlatformRecords)
  if (config.database)
    jobs.every('expiry of repeatable requests', MINUTE_MS, () => idempotency.deleteExpired(clock.now()))
  const others = [...config.allowedOrigins, ...developmentOrigins(config)]
  const perMinute = config.addressRequestsPerMinute
  const ownIdempotency = new LocalIdempotencyStore(clock.now)
  return {
    ...deps,
    app,
    redis,
    otherRegions,
    counts,
    createNotes,
    createSums,
    jobs,
    decoder,
    addressLimits: new AddressLimits({ perSecond: perMinute / 60, burst: perMinute }),
    isProxy: inNetworks(config.trustProxy),
    http: {
      secureCookies: config.publicOrigin?.startsWith('https:') ?? false,
      originAllowed: (origin) => origin !== undefined && (ownOrigins().includes(origin) || others.includes(origin)),
      counts,
      ownCounts,
      idempotency: config.database
        ? keptInTwo(
            createSharedIdempotencyStore({ records: idempotency, clock, newId, log }),
            ownIdempotency,
            KEPT_HERE,
          )
        : ownIdempotency,
    },
  }
}
