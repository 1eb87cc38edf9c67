import type { FastifyBaseLogger } from 'fastify'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { FencedError, isOutage, type Pool, type PoolReply } from './pool.ts'

/** A membership that was not renewed for this long has expired: its server may be dead. */
const EXPIRY_MS = 3_000
const RENEW_MS = 750
/** How long a membership must be seen expired, without a gap in which Redis may be away, until its server is declared dead. */
const OBSERVE_MS = 1_500
/** Time for all servers to register with a Redis that has lost its data. */
const REGISTRATION_MS = 5_000

type MembershipEvents = {
  /** The server is dead; other servers have taken over all its users and matches. */
  died(server: string): void
  fenced(): void
  /** Redis does not know this server: the server has just started, or Redis has lost its data. Called again if it rejects. */
  unknown(): Promise<void>
  renewed(): void
  /** This server sees the server for the first time. */
  joined(server: string): void
  /** All servers have had time to register with a Redis that was empty. */
  allRegistered(): Promise<void>
}

/** `isGuest`: this server is of another region, and takes over no users or matches of dead servers. */
type Options = {
  pool: Pool
  clock: Clock
  self: () => string
  isGuest?: boolean
  log: FastifyBaseLogger
  events: MembershipEvents
}

/** The ids of guests begin with this prefix; queue.lua contains it too. */
export const GUEST_PREFIX = 'guest:'

/** Renews this server's membership of the fleet, and takes over the users and matches of dead servers. */
export class Membership {
  readonly #options: Options
  readonly #others = new Set<string>()
  readonly #expiredSince = new Map<string, number>()
  #hasHomeServers = false
  #epoch: string | null = null
  #renewedAt = Number.NEGATIVE_INFINITY
  #registrationUntil: number | null = null
  #unknown = false
  #cancel: () => void = () => undefined
  #stopped = false
  #round: Promise<void> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** False when the other servers may see this server's membership as expired. */
  get isCurrent(): boolean {
    const { pool, clock } = this.#options
    return pool.client.isReady && clock.now() - this.#renewedAt < EXPIRY_MS
  }

  /** True while the pool has a live server that is not a guest. */
  get hasHomeServers(): boolean {
    return this.#hasHomeServers
  }

  get others(): ReadonlySet<string> {
    return this.#others
  }

  /** Adds a server that has joined since the last renewal. */
  add(server: string): void {
    const { self, events } = this.#options
    if (server === self() || this.#others.has(server)) return
    this.#others.add(server)
    events.joined(server)
  }

  /** Resolves when this server is a member. */
  async start(): Promise<void> {
    await this.#renew()
    this.#schedule()
  }

  async leave(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#round
    const { pool, self } = this.#options
    await pool.run('retire', { self: self() })
  }

  #schedule(): void {
    if (this.#stopped) return
    const { clock, log } = this.#options
    this.#cancel = clock.after(RENEW_MS, () => {
      this.#round = this.#renew()
        .catch((error: unknown) => {
          this.#expiredSince.clear()
          if (!isOutage(error)) log.error({ err: error }, 'fleet: the membership could not be renewed')
        })
        .finally(() => this.#schedule())
    })
  }

  async #renew(): Promise<void> {
    const { pool, self, isGuest = false, clock, events, log } = this.#options
    const startedAt = clock.now()
    let reply: PoolReply
    try {
      reply = await pool.run('renew', { self: self(), expiry: EXPIRY_MS })
    } catch (error) {
      if (!(error instanceof FencedError)) throw error
      log.error('fleet: this server was declared dead; it continues as a new server')
      events.fenced()
      this.#others.clear()
      return
    }
    const now = clock.now()
    const { state, epoch = '', servers = [], expired = [], retired = [] } = reply
    if (epoch !== this.#epoch) {
      // A changed epoch: Redis has lost its data. An epoch that this server itself made at its start: Redis was empty.
      const isChanged = this.#epoch !== null
      const isEmpty = isChanged || epoch.startsWith(self())
      this.#epoch = epoch
      this.#unknown ||= isChanged
      if (isEmpty) this.#registrationUntil = now + REGISTRATION_MS
    }
    const isContinuous = now - this.#renewedAt < OBSERVE_MS && now - startedAt < OBSERVE_MS
    this.#renewedAt = now
    const isLiveHome = (server: string) => !server.startsWith(GUEST_PREFIX) && !expired.includes(server)
    this.#hasHomeServers = servers.some((server) => isLiveHome(server) && !retired.includes(server))
    this.#unknown ||= state === 'new'
    if (this.#unknown) {
      await events.unknown()
      this.#unknown = false
    }
    events.renewed()
    if (this.#registrationUntil === null) this.#removeMissing(servers)
    for (const server of servers) this.add(server)
    if (!isContinuous) this.#expiredSince.clear()
    if (!isGuest) for (const server of retired) if (server !== self()) await this.#takeOver(server)
    for (const server of this.#expiredSince.keys()) if (!expired.includes(server)) this.#expiredSince.delete(server)
    for (const server of expired) {
      const since = this.#expiredSince.get(server) ?? now
      this.#expiredSince.set(server, since)
      if (!isGuest && now - since >= OBSERVE_MS) await this.#takeOver(server)
    }
    if (this.#registrationUntil !== null && now >= this.#registrationUntil) {
      await events.allRegistered()
      this.#registrationUntil = null
    }
  }

  #removeMissing(servers: string[]): void {
    for (const server of [...this.#others]) {
      if (servers.includes(server)) continue
      this.#others.delete(server)
      this.#options.events.died(server)
    }
  }

  async #takeOver(dead: string): Promise<void> {
    const { pool, self, clock, log } = this.#options
    log.info({ dead }, 'fleet: the users and matches of a dead server are taken over')
    const step = () => pool.run('takeOver', { self: self(), dead, now: clock.now(), keep: HUB_RESUME_MS })
    // Renews this server's membership between the parts of a long takeover.
    while ((await step()).more) await pool.run('renew', { self: self(), expiry: EXPIRY_MS })
  }
}
