import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import {
  type FrameMemory,
  type JudgedNote,
  judgedLimits,
  STAY_LIMITS,
  type StayNote,
} from '../frames/rules/frame-watch.ts'
import { keyedDigest } from './crypto.ts'
import { RedisCounts } from './redis/redis-counts.ts'
import { RedisNotes } from './redis/redis-notes.ts'
import type { Scripted } from './redis/script.ts'
import type { Clock } from './rules/clock.ts'
import { type Counts, OwnCounts, survivingCounts } from './rules/counts.ts'
import { createSurvive } from './rules/fallback.ts'
import { type NoteLimits, type Notes, OwnNotes, survivingNotes } from './rules/notes.ts'

type Deps = { config: Config; secrets: Secrets; clock: Clock; log: FastifyBaseLogger }

const staySchema: v.GenericSchema<unknown, StayNote> = v.object({
  at: v.number(),
  picture: v.exactOptional(v.object({ print: v.pipe(v.string(), v.hexadecimal()), black: v.boolean() })),
  suspicious: v.exactOptional(v.literal(true)),
})
const judgedSchema: v.GenericSchema<unknown, JudgedNote> = v.object({
  at: v.number(),
  verdict: v.picklist(['nothing', 'suspicious', 'flagged']),
  score: v.number(),
  label: v.string(),
})

/** What is only kept for a while: together with other servers where Redis joins them, and in this one's memory otherwise. */
export function createMemory(
  redis: Scripted | null,
  { config, secrets, clock, log }: Deps,
): { counts: Counts; frameMemory: FrameMemory } {
  // A key of its own: what is remembered are people and addresses.
  const digest = keyedDigest(keyedDigest(secrets.jwt)('memory'))
  const survive = createSurvive(clock, (alone, error) => {
    if (alone) log.warn({ err: error }, 'limits are counted on this server alone')
    else log.info('limits are counted together again')
  })

  function notes<N>(name: string, limits: NoteLimits, schema: v.GenericSchema<unknown, N>): Notes<N> {
    const own = new OwnNotes<N>(clock.now, limits)
    return redis ? survivingNotes(survive, new RedisNotes(redis, { ...limits, name, digest, schema }), own) : own
  }

  const ownCounts = new OwnCounts(clock.now)
  return {
    counts: redis ? survivingCounts(survive, new RedisCounts(redis, digest), ownCounts) : ownCounts,
    frameMemory: {
      stays: notes('stay', STAY_LIMITS, staySchema),
      judged: notes('judged', judgedLimits(config.frameFlags), judgedSchema),
    },
  }
}
