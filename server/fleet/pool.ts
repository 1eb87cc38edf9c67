import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { createClient, ErrorReply } from 'redis'
import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import type { Scripted } from '../platform/redis/script.ts'

const script = ['../matching/redis/queue.lua', './pool.lua']
  .map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
  .join('')
const digest = createHash('sha1').update(script).digest('hex')

/** A server that accepted the connection but says nothing is as good as gone after this. */
export const SILENCE_MS = 4_000
const SILENT_ROUNDS = 4
export const RECONNECT_MS = 200

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

/** What servers ask of Redis, or of a Redis Cluster: each command concerns one key, and so one node. */
export type RedisClient = Scripted & {
  readonly isOpen: boolean
  readonly isReady: boolean
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'connect' | 'ready', listener: () => void): unknown
  once(event: 'connect' | 'ready', listener: () => void): unknown
  /** Rejects when it is destroyed meanwhile, also by `watch`. */
  connect(): Promise<unknown>
  destroy(): void
  /** Another one, not open, with which to wait for something. */
  duplicate(): RedisClient
  ping(): Promise<unknown>
  set(key: string, value: string, options: { expiration: { type: 'PX'; value: number } }): Promise<unknown>
  getDel(key: string): Promise<string | null>
  xAddNoMkStream(key: string, id: '*', fields: Record<string, string>): Promise<unknown>
  xRead(from: { key: string; id: string }, options: { BLOCK: number; COUNT: number }): Promise<StreamEntries>
  xTrim(key: string, strategy: 'MINID', threshold: string, options: { strategyModifier: '~' }): Promise<unknown>
  zAdd(key: string, members: { score: number; value: string }[]): Promise<unknown>
  zRemRangeByScore(key: string, min: '-inf', max: number): Promise<unknown>
  zCard(key: string): Promise<number>
}
export type StreamEntries = { messages: { id: string; message: Record<string, string> }[] }[] | null

/** A connection to one Redis that comes back by itself. While it is gone, commands fail at once, or after SILENCE_MS at the latest. */
export function redisClient(url: string, log: FastifyBaseLogger, ca: string | null = null) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: RECONNECT_MS, connectTimeout: SILENCE_MS, ...(ca !== null && { tls: true, ca }) },
  })
  tellFaults(client, log)
  client.once('connect', () => watch(client))
  return client
}

/** The first fault of each time without Redis. */
export function tellFaults(client: RedisClient, log: FastifyBaseLogger): void {
  let silenced = false
  client.on('error', (error: unknown) => {
    if (!silenced) log.error({ err: error }, 'Redis does not answer')
    silenced = true
  })
  client.on('ready', () => {
    silenced = false
  })
}

/** Another connection to the same Redis, not open. */
export function readerOf(client: RedisClient): RedisClient {
  const reader = client.duplicate()
  reader.on('error', () => undefined)
  reader.once('connect', () => watch(reader))
  return reader
}

/** Resolves when it can be used, however long that takes. */
export async function open(client: RedisClient): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once('ready', resolve))
  // It tries until it has a connection, and its watch begins again where nothing is answered.
  client.connect().catch(() => undefined)
  await ready
}

/** The library waits for ever for a Redis that took the connection and says nothing: its own pings count as a sign of life. */
function watch(client: RedisClient): void {
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

/** The last is what a script meets while its slot is moved to another node, key by key. */
const passing = /^(?:LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|ERR Script attempted to access a non local key)/

/** True for what another try may mend; false for a fault of ours. */
export function isOutage(error: unknown): boolean {
  return (
    !(error instanceof v.ValiError) &&
    !(error instanceof TakenForDead) &&
    !(error instanceof ErrorReply && !passing.test(error.message))
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
    const parsed: PoolAnswer = parse(answerSchema, answer)
    if (parsed.state === 'dead') throw new TakenForDead('this server was taken for dead')
    return parsed
  }
}
