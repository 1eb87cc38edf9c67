import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import { isRedisOutage, type RedisClient } from '../platform/redis/redis-client.ts'

const script = ['../matching/redis/queue.lua', './pool.lua']
  .map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
  .join('')
const digest = createHash('sha1').update(script).digest('hex')

const placeSchema = v.object({
  user: v.string(),
  // What a server of the version before paired has neither.
  region: v.optional(v.string(), ''),
  spills: v.optional(v.boolean(), false),
  since: v.number(),
  lot: v.number(),
})
/** An empty table of Lua is an object in JSON, whatever it was meant to be. */
const namesSchema = v.pipe(
  v.union([recordsOf(v.string()), v.strictObject({})]),
  v.transform((names) => (Array.isArray(names) ? names : [])),
)
const answerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.pipe(
      v.strictTuple([]),
      v.transform(() => ({})),
    ),
    v.object({
      pairs: v.optional(recordsOf(v.object({ caller: placeSchema, callee: placeSchema }))),
      next: v.optional(v.number()),
      since: v.optional(v.number()),
      region: v.optional(v.string()),
      home: v.optional(v.string()),
      order: v.optional(v.pipe(v.string(), v.transform(Number))),
      state: v.optional(v.picklist(['known', 'new', 'dead'])),
      epoch: v.optional(v.string()),
      servers: v.optional(namesSchema),
      retired: v.optional(namesSchema),
      expired: v.optional(namesSchema),
      more: v.optional(v.boolean()),
      taken: v.optional(v.boolean()),
      refused: v.optional(v.boolean()),
    }),
  ]),
)
export type StoredQueueEntry = v.InferOutput<typeof placeSchema>
export type PoolAnswer = {
  pairs?: { caller: StoredQueueEntry; callee: StoredQueueEntry }[] | undefined
  next?: number | undefined
  since?: number | undefined
  region?: string | undefined
  home?: string | undefined
  order?: number | undefined
  state?: 'known' | 'new' | 'dead' | undefined
  epoch?: string | undefined
  servers?: string[] | undefined
  retired?: string[] | undefined
  expired?: string[] | undefined
  more?: boolean | undefined
  taken?: boolean | undefined
  refused?: boolean | undefined
}

/** This server was taken for dead, and others have taken over what it had. */
export class TakenForDead extends Error {}

/** True for a fault that a retry may mend. */
export function isOutage(error: unknown): boolean {
  return isRedisOutage(error) && !(error instanceof TakenForDead)
}

/** The keys of one pool of people in Redis, and the steps that change them. */
export class Pool {
  readonly client: RedisClient
  readonly tag: string

  constructor(client: RedisClient, name: string) {
    this.client = client
    // What is in braces decides the node of a Redis Cluster: a pool is on one.
    this.tag = `{waggle:${name}}`
  }

  key(kind: string, id?: string): string {
    return id === undefined ? `${this.tag}:${kind}` : `${this.tag}:${kind}:${id}`
  }

  /** Runs one step of pool.lua; whole or not at all. */
  async run(step: string, args: Record<string, unknown>): Promise<PoolAnswer> {
    const options = { keys: [this.tag], arguments: [step, JSON.stringify(args)] }
    let answer: unknown
    try {
      answer = await this.client.evalSha(digest, options)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      answer = await this.client.eval(script, options)
    }
    const parsed: PoolAnswer = parse(answerSchema, answer)
    if (parsed.state === 'dead') throw new TakenForDead('this server was taken for dead')
    return parsed
  }
}
