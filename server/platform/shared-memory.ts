import type { FastifyBaseLogger } from 'fastify'
import type * as v from 'valibot'
import { RedisCounts } from './redis/redis-counts.ts'
import { RedisDecayingSums } from './redis/redis-decaying-sums.ts'
import { RedisNotes } from './redis/redis-notes.ts'
import type { Scripted } from './redis/script.ts'
import type { Clock } from './rules/clock.ts'
import { type Counts, countsWithFallback, LocalCounts } from './rules/counts.ts'
import { type DecayingSums, LocalDecayingSums, sumsWithFallback } from './rules/decaying-sums.ts'
import { createFallback } from './rules/fallback.ts'
import { LocalNotes, type NoteLimits, type Notes, notesWithFallback } from './rules/notes.ts'

/** Returns notes of one kind. `name` separates them from other kinds in Redis; `schema` checks a note read from Redis. */
export type CreateNotes = <N>(name: string, limits: NoteLimits, schema: v.GenericSchema<unknown, N>) => Notes<N>

/** Returns sums of these amounts. `name` separates them from other sums in Redis. */
export type CreateSums = <F extends string>(name: string, fields: readonly F[], halfLifeMs: number) => DecayingSums<F>

type Deps = {
  /** Null for a server without other servers. */
  redis: Scripted | null
  /** A keyed one-way function, applied to the keys because these name people and addresses. */
  digest: (text: string) => string
  clock: Clock
  log: FastifyBaseLogger
}

/** Returns counts, sums and notes that expire: shared with other servers in Redis, or in memory without Redis. */
export function createSharedMemory({ redis, digest, clock, log }: Deps): {
  counts: Counts
  /** Counts of this server only. */
  ownCounts: Counts
  createNotes: CreateNotes
  createSums: CreateSums
} {
  const fallback = createFallback(clock, (alone, error) => {
    if (alone) log.warn({ err: error }, 'limits: counted on this server alone')
    else log.info('limits: counted on all servers again')
  })
  const ownCounts = new LocalCounts(clock.now)
  const instead = new LocalCounts(clock.now)
  return {
    counts: redis ? countsWithFallback(fallback, new RedisCounts(redis, digest), instead) : ownCounts,
    ownCounts,
    createSums(name, fields, halfLifeMs) {
      const own = new LocalDecayingSums(clock.now, fields, halfLifeMs)
      return redis
        ? sumsWithFallback(fallback, new RedisDecayingSums(redis, { name, fields, halfLifeMs, digest }), own)
        : own
    },
    createNotes(name, limits, schema) {
      const own = new LocalNotes<v.InferOutput<typeof schema>>(clock.now, limits)
      return redis ? notesWithFallback(fallback, new RedisNotes(redis, { ...limits, name, digest, schema }), own) : own
    },
  }
}
