import { createClient, ErrorReply } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { Scripted } from './script.ts'

/** Time without a reply after which a Redis that accepted the connection counts as gone. */
export const SILENCE_MS = 4_000
/** Number of checks for a reply within `SILENCE_MS`. */
const SILENT_ROUNDS = 4
export const RECONNECT_MS = 200
/**
 * Turns off the library's time limit for commands that are not written yet: it needs a signal for each command, which
 * costs as much as the command, and its timer runs on after the reply. Pings detect a Redis without replies instead.
 */
export const COMMAND_OPTIONS = { timeout: 0 }

/** The commands that servers send to one Redis or to a Redis Cluster. Each command concerns one key, and so one node. */
export type RedisClient = Scripted & {
  readonly isOpen: boolean
  readonly isReady: boolean
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'connect' | 'ready', listener: () => void): unknown
  once(event: 'connect' | 'ready', listener: () => void): unknown
  /** Rejects if the client is destroyed before it has a connection, also by `watch`. */
  connect(): Promise<unknown>
  destroy(): void
  /** Returns another client of the same Redis, not open, for blocking commands. */
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
  hSet(key: string, field: string, value: string): Promise<unknown>
  hGetAll(key: string): Promise<Record<string, string>>
  hDel(key: string, field: string): Promise<unknown>
}
type StreamEntries = { messages: { id: string; message: Record<string, string> }[] }[] | null

/** A client of one Redis that reconnects by itself. While Redis is away, commands fail after at most SILENCE_MS. */
export function redisClient(url: string, log: FastifyBaseLogger, ca: string | null = null) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: COMMAND_OPTIONS,
    socket: { reconnectStrategy: RECONNECT_MS, connectTimeout: SILENCE_MS, ...(ca !== null && { tls: true, ca }) },
  })
  logOutages(client, log)
  client.once('connect', () => watch(client))
  return client
}

/** Logs the first fault of each outage. */
export function logOutages(client: RedisClient, log: FastifyBaseLogger): void {
  let isLogged = false
  client.on('error', (error: unknown) => {
    if (!isLogged) log.error({ err: error }, 'redis: no reply')
    isLogged = true
  })
  client.on('ready', () => {
    isLogged = false
  })
}

/** Returns another client of the same Redis, not open. */
export function readerOf(client: RedisClient): RedisClient {
  const reader = client.duplicate()
  reader.on('error', () => undefined)
  reader.once('connect', () => watch(reader))
  return reader
}

/** Resolves when the client is ready; there is no time limit. */
export async function open(client: RedisClient): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once('ready', resolve))
  // The client retries until it has a connection, and `watch` reconnects a client without replies.
  client.connect().catch(() => undefined)
  await ready
}

/** Reconnects a client whose Redis accepts the connection but does not reply: the library would wait for ever. */
function watch(client: RedisClient): void {
  // Counts rounds instead of milliseconds: a process that was paused itself has received no reply either.
  let silentRounds = 0
  const timer = setInterval(() => {
    if (!client.isOpen) {
      clearInterval(timer)
      return
    }
    const replied = () => {
      silentRounds = 0
    }
    silentRounds += 1
    if (client.isReady) client.ping().then(replied, () => undefined)
    if (silentRounds <= SILENT_ROUNDS) return
    replied()
    client.destroy()
    // The client retries until it has a connection; the `error` event reports faults.
    client.connect().catch(() => undefined)
  }, SILENCE_MS / SILENT_ROUNDS)
  timer.unref()
}

/** Errors of a Redis that will recover. A script gets the last one while its slot moves to another node. */
const passing = /^(?:LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|ERR Script attempted to access a non local key)/

/** True for a fault of Redis that a retry may mend; false for a fault of this program. */
export function isRedisOutage(error: unknown): boolean {
  return !(error instanceof v.ValiError) && !(error instanceof ErrorReply && !passing.test(error.message))
}
