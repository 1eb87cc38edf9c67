import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import { isRedisOutage, type RedisClient } from '../platform/redis/redis-client.ts'
import { createScript } from '../platform/redis/script.ts'

const runScript = createScript(
  ['../matching/redis/queue.lua', './pool.lua']
    .map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
    .join(''),
)

/** A list of names. Lua encodes an empty list as an empty JSON object. */
const namesSchema = v.pipe(
  v.union([recordsOf(v.string()), v.strictObject({})]),
  v.transform((names) => (Array.isArray(names) ? names : [])),
)
const entrySchema = v.object({
  user: v.string(),
  // Servers of earlier versions write none of the following fields.
  region: v.optional(v.string(), ''),
  spills: v.optional(v.boolean(), false),
  languages: v.optional(namesSchema, []),
  interests: v.optional(namesSchema, []),
  anyLanguage: v.optional(v.boolean(), true),
  anyInterest: v.optional(v.boolean(), true),
  apart: v.optional(v.boolean(), false),
  since: v.number(),
  lot: v.number(),
})
const replySchema = v.object({
  pairs: v.optional(recordsOf(v.object({ caller: entrySchema, callee: entrySchema }))),
  next: v.optional(v.number()),
  since: v.optional(v.number()),
  region: v.optional(v.string()),
  apart: v.optional(v.boolean()),
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
  /** True when the user had a home server before (`attach`) or the newer connection is of the same page (`meet`). */
  known: v.optional(v.boolean()),
  ids: v.optional(namesSchema),
  /** True on the server that runs the ticks. */
  ticks: v.optional(v.boolean()),
})
const noReplySchema = v.pipe(
  v.strictTuple([]),
  v.transform((): PoolReply => ({})),
)
const replyTextSchema = v.pipe(v.string(), v.parseJson(), v.union([noReplySchema, replySchema]))

export type PoolReply = v.InferOutput<typeof replySchema>
export type StoredQueueEntry = v.InferOutput<typeof entrySchema>

/** Other servers have declared this server dead and taken over its users and matches. */
export class FencedError extends Error {}

/** True for a fault that a retry may mend. */
export function isOutage(error: unknown): boolean {
  return isRedisOutage(error) && !(error instanceof FencedError)
}

/** The state of a pool in Redis, and the Lua steps that change it. */
export class Pool {
  readonly client: RedisClient
  readonly tag: string

  constructor(client: RedisClient, name: string) {
    this.client = client
    // The text in braces decides the node of a Redis Cluster, so that a pool is on one node.
    this.tag = `{waggle:${name}}`
  }

  key(kind: string, id?: string): string {
    return id === undefined ? `${this.tag}:${kind}` : `${this.tag}:${kind}:${id}`
  }

  /** Runs one step of pool.lua, atomically. Rejects with a `FencedError` on a server that was declared dead. */
  async run(step: string, args: Record<string, unknown>): Promise<PoolReply> {
    // Two keys that never exist: while a slot moves to another node, Redis refuses a command of several keys of which one is missing
    // (TRYAGAIN). With a single key the step would run on the new node, which lacks the keys that have not moved.
    const reply = await runScript(this.client, [this.tag, `${this.tag}:none`], [step, JSON.stringify(args)])
    const parsed = parse(replyTextSchema, reply)
    if (parsed.state === 'dead') throw new FencedError('this server was declared dead')
    return parsed
  }
}
