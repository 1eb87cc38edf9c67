import { EventEmitter } from 'node:events'
import { ClientOfflineError, createCluster } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'
import { pause, withinMs } from '../rules/clock.ts'
import { systemClock } from '../system-clock.ts'
import {
  COMMAND_OPTIONS,
  logOutages,
  open,
  RECONNECT_MS,
  type RedisClient,
  redisClient,
  SILENCE_MS,
} from './redis-client.ts'

/** The library finds the new master of a slot sooner, or not at all: its refresh of the slots may run before the failover or never end. */
const OFFLINE_MAX_MS = 2 * SILENCE_MS

type Cluster = ReturnType<typeof clusterOf>
type Command = Exclude<
  keyof RedisClient,
  'isOpen' | 'isReady' | 'on' | 'once' | 'connect' | 'destroy' | 'duplicate' | 'ping'
>

/** The addresses have the same scheme, user and password, which apply to all nodes. */
function clusterOf(urls: readonly string[], ca: string | null) {
  const [first] = urls.map((url) => new URL(url))
  const { protocol, username, password } = first ?? { protocol: 'redis:', username: '', password: '' }
  return createCluster({
    rootNodes: urls.map((url) => ({ url })),
    commandOptions: COMMAND_OPTIONS,
    // A node that is away must not block access to the other nodes.
    minimizeConnections: true,
    // After a failover, the slots of a killed node are found again after this time.
    topologyRefreshOnReconnectionAttemptStrategy: SILENCE_MS / 4,
    defaults: {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      disableOfflineQueue: true,
      // Pings detect an idle connection whose node accepted the connection but never replies.
      pingInterval: SILENCE_MS / 4,
      socket: {
        reconnectStrategy: RECONNECT_MS,
        connectTimeout: SILENCE_MS,
        socketTimeout: SILENCE_MS,
        ...(protocol === 'rediss:' && { tls: true as const, ...(ca !== null && { ca }) }),
      },
    },
  })
}

function noReply(): Error {
  return new Error('Redis does not answer')
}

/** Settles as `work` does; after SILENCE_MS, calls `late` and rejects. */
function inTime<T>(work: Promise<T>, late: () => void): Promise<T> {
  const onLate = () => {
    late()
    return noReply()
  }
  return withinMs(work, { clock: systemClock, ms: SILENCE_MS, onLate })
}

/**
 * A client of a Redis Cluster. The library follows the slots to other nodes, but waits for ever for a node that does
 * not reply. Therefore a command without a reply fails after SILENCE_MS, and all connections are replaced.
 */
class RedisCluster extends EventEmitter implements RedisClient {
  readonly #urls: readonly string[]
  readonly #ca: string | null
  #cluster: Cluster | null = null
  /** Replaced clusters: their commands under way have SILENCE_MS to end. */
  readonly #earlier = new Set<Cluster>()
  #isOpen = false
  #isRenewing = false
  /** When commands began to find the client of a node offline, and when one did so last; milliseconds since 1970. */
  #offline = { since: 0, last: 0 }
  readonly eval = this.#command('eval')
  readonly evalSha = this.#command('evalSha')
  readonly set = this.#command('set')
  readonly getDel = this.#command('getDel')
  readonly xAddNoMkStream = this.#command('xAddNoMkStream')
  readonly xRead = this.#command('xRead')
  readonly xTrim = this.#command('xTrim')
  readonly zAdd = this.#command('zAdd')
  readonly zRemRangeByScore = this.#command('zRemRangeByScore')
  readonly zCard = this.#command('zCard')
  readonly hSet = this.#command('hSet')
  readonly hGetAll = this.#command('hGetAll')
  readonly hDel = this.#command('hDel')

  constructor(urls: readonly string[], ca: string | null) {
    super()
    this.#urls = urls
    this.#ca = ca
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get isReady(): boolean {
    return this.#cluster !== null
  }

  connect(): Promise<void> {
    this.#isOpen = true
    return this.#renew(null)
  }

  destroy(): void {
    this.#isOpen = false
    this.#cluster?.destroy()
    this.#cluster = null
    for (const cluster of this.#earlier) cluster.destroy()
    this.#earlier.clear()
  }

  duplicate(): RedisCluster {
    return new RedisCluster(this.#urls, this.#ca)
  }

  /** Resolves when every master replies. */
  ping(): Promise<unknown> {
    return this.#run((cluster) =>
      Promise.all(cluster.masters.map(async (master) => (await cluster.nodeClient(master)).ping())),
    )
  }

  /** Returns the library's method of this name, run by `#run`. */
  #command<N extends Command>(name: N): RedisClient[N] {
    const run = (...args: unknown[]) =>
      this.#run((cluster) => Reflect.apply(cluster[name] as (...args: unknown[]) => Promise<unknown>, cluster, args))
    return run as RedisClient[N]
  }

  async #run<T>(command: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = this.#cluster
    if (!cluster) throw noReply()
    try {
      return await inTime(command(cluster), () => void this.#renew(cluster))
    } catch (error) {
      if (error instanceof ClientOfflineError && this.#staysOffline(Date.now())) void this.#renew(cluster)
      throw error
    }
  }

  /** Notes that a command found its node's client offline. Returns true once commands have done so for `OFFLINE_MAX_MS`. */
  #staysOffline(now: number): boolean {
    const { since, last } = this.#offline
    this.#offline = { since: now - last > SILENCE_MS ? now : since, last: now }
    if (now - this.#offline.since < OFFLINE_MAX_MS) return false
    this.#offline.since = now
    return true
  }

  /** Reads anew which node has which slots, and replaces the failed connections by new ones. */
  async #renew(failed: Cluster | null): Promise<void> {
    if (this.#isRenewing || failed !== this.#cluster) return
    this.#isRenewing = true
    try {
      while (this.#isOpen && this.#cluster === failed) await this.#connectAnew()
    } finally {
      this.#isRenewing = false
    }
  }

  async #connectAnew(): Promise<void> {
    const fresh = clusterOf(this.#urls, this.#ca)
    for (const event of ['error', 'node-error'])
      fresh.on(event, (error: unknown) => {
        if (this.#cluster === null || this.#cluster === fresh) this.emit('error', error)
      })
    fresh.on('node-ready', () => {
      if (this.#cluster === fresh) this.emit('ready')
    })
    try {
      await inTime(fresh.connect(), () => undefined)
    } catch (error) {
      fresh.destroy()
      this.emit('error', error)
      await pause(systemClock, RECONNECT_MS)
      return
    }
    if (!this.#isOpen) {
      fresh.destroy()
      return
    }
    if (this.#cluster) this.#retire(this.#cluster)
    this.#cluster = fresh
    this.emit('ready')
  }

  #retire(cluster: Cluster): void {
    this.#earlier.add(cluster)
    const end = () => {
      if (this.#earlier.delete(cluster)) cluster.destroy()
    }
    setTimeout(end, SILENCE_MS).unref()
  }
}

/**
 * Returns a client, not open yet, of the Redis at this address or of the cluster with these nodes. `ca` (PEM) replaces
 * the certificate authorities that Node trusts.
 */
export function createRedis(urls: readonly string[], log: FastifyBaseLogger, ca: string | null = null): RedisClient {
  const [first = ''] = urls
  if (urls.length === 1) return redisClient(first, log, ca)
  const cluster = new RedisCluster(urls, ca)
  logOutages(cluster, log)
  return cluster
}

/** Creates a client with `createRedis` and resolves when the client is ready. */
export async function openRedis(...args: Parameters<typeof createRedis>): Promise<RedisClient> {
  const client = createRedis(...args)
  await open(client)
  return client
}
