import type { FastifyBaseLogger } from 'fastify'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { isOutage, type Pool, type PoolAnswer, TakenForDead } from './pool.ts'

/** A server that has not renewed its lease for so long may be dead. */
const LEASE_MS = 3_000
const RENEW_MS = 750
/** It is taken for dead when this server has seen it so for this long, without a gap: Redis itself may have been away. */
const OBSERVE_MS = 1_500
/** How long servers have to show up again at a Redis that has lost its memory. */
const GATHER_MS = 5_000

type LeaseEvents = {
  died(server: string): void
  fenced(): void
  /** Redis knows nothing of this server: at its start, or because Redis has lost its memory. Retried if it rejects. */
  unknown(): Promise<void>
  /** The lease is held, and Redis answers. */
  renewed(): void
  /** Everybody has had time to show up at a Redis that knew nothing. */
  gathered(): Promise<void>
}

type Options = { pool: Pool; clock: Clock; self: () => string; log: FastifyBaseLogger; events: LeaseEvents }

/** Keeps this server among the living, and takes over what the dead leave. */
export class Membership {
  readonly #options: Options
  readonly #others = new Set<string>()
  readonly #expiredSince = new Map<string, number>()
  #epoch: string | null = null
  #renewedAt = Number.NEGATIVE_INFINITY
  #gatherUntil: number | null = null
  #unknown = false
  #cancel: () => void = () => undefined
  #stopped = false
  #round: Promise<void> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** This server is heard of by the others. */
  get isHeld(): boolean {
    const { pool, clock } = this.#options
    return pool.client.isReady && clock.now() - this.#renewedAt < LEASE_MS
  }

  /** All servers but this one that live. */
  get others(): ReadonlySet<string> {
    return this.#others
  }

  /** A server that has come since the last look. */
  meet(server: string): void {
    if (server !== this.#options.self()) this.#others.add(server)
  }

  /** Resolves when this server is among the living. */
  async start(): Promise<void> {
    await this.#renew()
    this.#schedule()
  }

  async retire(): Promise<void> {
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
          if (!isOutage(error)) log.error({ err: error }, 'the lease could not be renewed')
        })
        .finally(() => this.#schedule())
    })
  }

  async #renew(): Promise<void> {
    const { pool, self, clock, events, log } = this.#options
    const startedAt = clock.now()
    let answer: PoolAnswer
    try {
      answer = await pool.run('renew', { self: self(), lease: LEASE_MS })
    } catch (error) {
      if (!(error instanceof TakenForDead)) throw error
      log.error('this server was taken for dead and begins anew')
      events.fenced()
      this.#others.clear()
      return
    }
    const now = clock.now()
    const { state, epoch = '', servers = [], expired = [], retired = [] } = answer
    if (epoch !== this.#epoch) {
      // Another one than the first means that Redis has lost its memory; one of our own making, that nobody was there.
      const isAnother = this.#epoch !== null
      const isNew = isAnother || epoch.startsWith(self())
      this.#epoch = epoch
      this.#unknown ||= isAnother
      if (isNew) this.#gatherUntil = now + GATHER_MS
    }
    const isContinuous = now - this.#renewedAt < OBSERVE_MS && now - startedAt < OBSERVE_MS
    this.#renewedAt = now
    this.#unknown ||= state === 'new'
    if (this.#unknown) {
      await events.unknown()
      this.#unknown = false
    }
    events.renewed()
    if (this.#gatherUntil === null) this.#bury(servers)
    for (const server of servers) this.meet(server)
    if (!isContinuous) this.#expiredSince.clear()
    for (const server of retired) if (server !== self()) await this.#reap(server)
    for (const server of this.#expiredSince.keys()) if (!expired.includes(server)) this.#expiredSince.delete(server)
    for (const server of expired) {
      const since = this.#expiredSince.get(server) ?? now
      this.#expiredSince.set(server, since)
      if (now - since >= OBSERVE_MS) await this.#reap(server)
    }
    if (this.#gatherUntil !== null && now >= this.#gatherUntil) {
      await events.gathered()
      this.#gatherUntil = null
    }
  }

  #bury(servers: string[]): void {
    for (const server of [...this.#others]) {
      if (servers.includes(server)) continue
      this.#others.delete(server)
      this.#options.events.died(server)
    }
  }

  async #reap(dead: string): Promise<void> {
    const { pool, self, clock, log } = this.#options
    log.info({ dead }, 'a server is gone; what it had is taken over')
    const step = () => pool.run('reap', { self: self(), dead, now: clock.now(), keep: HUB_RESUME_MS })
    while ((await step()).more) await this.#renewQuietly()
  }

  /** Taking over much takes long. */
  async #renewQuietly(): Promise<void> {
    const { pool, self } = this.#options
    await pool.run('renew', { self: self(), lease: LEASE_MS })
  }
}
