import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { createClient, ErrorReply } from 'redis'
import * as v from 'valibot'

const script = ['./pool-lines.lua', './pool.lua']
  .map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
  .join('')
const digest = createHash('sha1').update(script).digest('hex')

/** A server that accepted the connection but says nothing is as good as gone after this. */
const SILENCE_MS = 4_000
const SILENT_ROUNDS = 4
const RECONNECT_MS = 200

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
  v.union([v.array(v.string()), v.strictObject({})]),
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
      pairs: v.optional(v.array(v.object({ caller: placeSchema, callee: placeSchema }))),
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
export type StoredPlace = v.InferOutput<typeof placeSchema>
export type PoolAnswer = {
  pairs?: { caller: StoredPlace; callee: StoredPlace }[] | undefined
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

/** A connection to Redis that comes back by itself. While it is gone, commands fail at once, or after SILENCE_MS at the latest. */
export function redisClient(url: string, log: FastifyBaseLogger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: RECONNECT_MS, connectTimeout: SILENCE_MS },
  })
  let silenced = false
  client.on('error', (error: unknown) => {
    if (!silenced) log.error({ err: error }, 'Redis does not answer')
    silenced = true
  })
  client.on('ready', () => {
    silenced = false
  })
  client.once('ready', () => watch(client))
  return client
}

/** The library waits for ever for a Redis that took the connection and says nothing: its own pings count as a sign of life. */
export function watch(client: RedisClient): void {
  // Rounds, not time: a process that was stopped itself has heard nothing either.
  let unheard = 0
  const timer = setInterval(() => {
    if (!client.isOpen) {
      clearInterval(timer)
      return
    }
    const heard = () => {
      unheard = 0
    }
    unheard += 1
    if (client.isReady) client.ping().then(heard, () => undefined)
    if (unheard <= SILENT_ROUNDS) return
    heard()
    client.destroy()
    // It tries until it has a connection; faults are told by the event.
    client.connect().catch(() => undefined)
  }, SILENCE_MS / SILENT_ROUNDS)
  timer.unref()
}
export type RedisClient = ReturnType<typeof redisClient>

/** True for what another try may mend; false for a fault of ours. */
export function isOutage(error: unknown): boolean {
  return (
    !(error instanceof v.ValiError) &&
    !(error instanceof TakenForDead) &&
    !(error instanceof ErrorReply && !/^(LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN)/.test(error.message))
  )
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
    const parsed: PoolAnswer = v.parse(answerSchema, answer)
    if (parsed.state === 'dead') throw new TakenForDead('this server was taken for dead')
    return parsed
  }
}
