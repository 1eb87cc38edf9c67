import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import type { TicketStore } from '../hub/tickets.ts'
import { RedisQueue } from '../matching/redis/redis-queue.ts'
import type { QueueOptions } from '../matching/rules/match-queue.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import { open, type RedisClient, readerOf } from '../platform/redis/redis-client.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { Channel } from './channel.ts'
import type { Attached, Fleet, FleetEvents } from './fleet.ts'
import { GUEST_PREFIX, Membership } from './membership.ts'
import { FencedError, isOutage, Pool, type PoolReply } from './pool.ts'

const READ_BLOCK_MS = 1_000
const READ_COUNT = 1_000
const RETRY_MS = 250
/** Pause between two reads of the stream, so that one read returns many messages. A lone message is read at once. */
const GATHER_MS = 5
const TRIM_MS = 2_000
/** Users in one step of `publishState`. */
const PUBLISH_COUNT = 500

type Options = {
  client: RedisClient
  pool: string
  /** This server is of another region: it may have connections of users of this pool, but hosts no users, matches or queue. */
  isGuest?: boolean
  matchRecords: MatchRecords
  queue: QueueOptions
  clock: Clock
  newId: () => string
  log: FastifyBaseLogger
}

type BetweenRegions = 'meet' | 'spill' | 'depart' | 'release' | 'claim'

/** What the Lua steps write to a server's stream. */
const noticeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('t', [
    v.object({ t: v.literal('move'), user: v.string(), to: v.string() }),
    v.object({ t: v.literal('open') }),
    v.object({
      t: v.literal('displaced'),
      user: v.string(),
      order: v.pipe(v.string(), v.transform(Number)),
      visit: v.optional(v.string()),
    }),
    v.object({ t: v.literal('joined'), server: v.string() }),
    v.object({
      t: v.literal('adopt'),
      id: v.string(),
      caller: v.string(),
      callee: v.string(),
      startedAt: v.number(),
      connected: v.boolean(),
    }),
  ]),
)

export const noEvents: FleetEvents = {
  message: () => undefined,
  moved: () => undefined,
  displaced: () => undefined,
  joined: () => undefined,
  adoptMatch: () => undefined,
  pairsFound: () => undefined,
  died: () => undefined,
  fenced: () => undefined,
  state: () => ({ homes: [], here: [], matches: [] }),
  requeue: () => undefined,
}

/**
 * Servers that find each other in Redis. Each server reads its stream, to which other servers write messages and the
 * Lua steps write notices.
 */
export class RedisFleet implements Fleet {
  readonly queue: RedisQueue
  readonly matchRecords: MatchRecords
  readonly #options: Options
  readonly #pool: Pool
  readonly #reader: RedisClient
  readonly #channel: Channel
  readonly #membership: Membership
  #self: string
  #events = noEvents
  /** The id of the last stream entry that was read. */
  #lastRead = '0'
  #reading: Promise<void> = Promise.resolve()
  #stopped = false
  #cancelTrim: () => void = () => undefined
  #endPause: () => void = () => undefined

  constructor(options: Options) {
    const { client, pool, isGuest = false, clock, log, queue } = options
    this.#options = options
    this.#self = this.#newSelf()
    this.#pool = new Pool(client, pool)
    this.#reader = readerOf(client)
    const self = () => this.#self
    const isAvailable = () => this.isAvailable
    this.queue = new RedisQueue({ pool: this.#pool, self, clock, isAvailable, ...queue })
    this.matchRecords = this.#sharedMatchRecords(options.matchRecords)
    const deliver = (from: string, message: unknown) => this.#events.message(from, message)
    this.#channel = new Channel({ pool: this.#pool, clock, self, deliver })
    const events = {
      died: (server: string) => {
        this.#channel.markDead(server)
        this.#events.died(server)
      },
      fenced: () => this.#restartUnderNewId(),
      unknown: () => this.#publishState(),
      allRegistered: () => this.#adoptOrphanedMatches(),
      renewed: () => this.#events.pairsFound(),
      joined: (server: string) => this.#events.joined(server),
    }
    this.#membership = new Membership({ pool: this.#pool, clock, self, isGuest, log, events })
  }

  get self(): string {
    return this.#self
  }

  get isAvailable(): boolean {
    return this.#membership.isCurrent
  }

  /** True while users can be sent to this pool: Redis replies, and a server that is no guest lives. */
  get hasHomeServers(): boolean {
    return this.isAvailable && this.#membership.hasHomeServers
  }

  get tickets(): TicketStore {
    const { client } = this.#pool
    const keyOf = (token: string) => this.#pool.key('ticket', token)
    return {
      put: async (token, ticket, ms) => {
        if (!this.isAvailable) return false
        const stored = client.set(keyOf(token), ticket, { expiration: { type: 'PX', value: ms } })
        return stored.then(
          () => true,
          (error: unknown) => {
            if (!isOutage(error)) this.#options.log.error({ err: error }, 'fleet: a ticket could not be stored')
            return false
          },
        )
      },
      take: (token) => client.getDel(keyOf(token)),
    }
  }

  async start(events: FleetEvents): Promise<void> {
    this.#events = events
    if (!this.#reader.isOpen) await open(this.#reader)
    await this.#membership.start()
    this.#channel.start()
    this.#reading = this.#read()
    this.#trim()
  }

  async attach(user: string, visit: string | null = null): Promise<Attached> {
    const args = { self: this.#self, user, ...(visit !== null && { visit }) }
    const { home, order, known: isKnown = false } = await this.#pool.run('attach', args)
    if (home === undefined || order === undefined) throw new Error('the reply names no home server')
    return { home, order, isKnown }
  }

  /** Runs one of the steps between regions. */
  between(step: BetweenRegions, args: Record<string, unknown>): Promise<PoolReply> {
    return this.#pool.run(step, { self: this.#self, now: this.#options.clock.now(), ...args })
  }

  forget(user: string): void {
    const forgetting = this.#pool.run('forget', { self: this.#self, user })
    forgetting.catch((error: unknown) => {
      if (!isOutage(error)) this.#options.log.error({ err: error }, 'fleet: a user could not be removed from Redis')
    })
  }

  isMember(server: string): boolean {
    return server === this.#self || this.#membership.others.has(server)
  }

  send(to: string, message: object): void {
    this.#channel.send(to, message)
  }

  sendAll(message: object): void {
    for (const server of this.#membership.others) this.#channel.send(server, message)
  }

  stopRetries(): void {
    this.queue.stopRetries()
  }

  async leave(): Promise<void> {
    if (this.#stopped) return
    this.stopRetries()
    const { log } = this.#options
    try {
      if (this.#pool.client.isReady) {
        await this.queue.idle()
        await this.#channel.flush()
        await this.#membership.leave()
      }
    } catch (error) {
      log.error({ err: error }, 'fleet: this server could not leave in order')
    }
    this.#stopped = true
    this.#endPause()
    this.#cancelTrim()
    this.#channel.stop()
    if (this.#reader.isOpen) this.#reader.destroy()
    await this.#reading
  }

  #sharedMatchRecords(matchRecords: MatchRecords): MatchRecords {
    return {
      open: async (match) => {
        const { refused } = await this.#pool.run('opened', { self: this.#self, ...match })
        if (refused) throw new AppError('wrong-state', 'the two are not on the way into this match')
        await matchRecords.open(match)
      },
      confirm: async (id, role, at) => {
        await matchRecords.confirm(id, role, at)
        if (role === 'Caller') await this.#runUnlessFenced('connected', { id })
      },
      close: async (id, at, answeredAt) => {
        await this.#runUnlessFenced('ended', { id })
        await matchRecords.close(id, at, answeredAt)
      },
      // No matches at the start: once every server has had time to register, `#adoptOrphanedMatches` adopts the orphaned ones.
      all: async () => [],
      find: (id) => matchRecords.find(id),
    }
  }

  /** Does nothing on a server that was declared dead: another server has taken its matches over. */
  async #runUnlessFenced(step: string, args: Record<string, unknown>): Promise<void> {
    try {
      await this.#pool.run(step, { self: this.#self, ...args })
    } catch (error) {
      if (!(error instanceof FencedError)) throw error
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  async #read(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#readOnce()
        await this.#pause(GATHER_MS)
      } catch {
        await this.#pause(RETRY_MS)
      }
    }
  }

  async #readOnce(): Promise<void> {
    const self = this.#self
    const from = { key: this.#pool.key('to', self), id: this.#lastRead }
    const streams = await this.#reader.xRead(from, { BLOCK: READ_BLOCK_MS, COUNT: READ_COUNT })
    for (const { messages } of streams ?? []) {
      for (const { id, message } of messages) {
        // This server was fenced meanwhile: its new id has another stream.
        if (self !== this.#self) return
        this.#lastRead = id
        this.#take(message)
      }
    }
  }

  #take(entry: Record<string, string>): void {
    try {
      if (entry.n !== undefined && entry.f === undefined) this.#takeNotice(entry.n)
      else this.#channel.receive(entry)
    } catch (error) {
      this.#options.log.error({ err: error }, 'fleet: a server message could not be handled')
    }
  }

  #takeNotice(text: string): void {
    const notice = parse(noticeSchema, text)
    switch (notice.t) {
      case 'move':
        this.queue.moveOut(notice.user)
        this.#events.moved(notice.user, notice.to)
        break
      case 'open':
        this.#events.pairsFound()
        break
      case 'displaced':
        this.#events.displaced(notice.user, notice.order, notice.visit ?? null)
        break
      case 'joined':
        this.#membership.add(notice.server)
        break
      case 'adopt': {
        const { t, ...match } = notice
        this.#events.adoptMatch(match)
      }
    }
  }

  #trim(): void {
    const { clock, log } = this.#options
    this.#cancelTrim = clock.after(TRIM_MS, () => this.#trim())
    if (this.#lastRead === '0' || !this.#pool.client.isReady) return
    const key = this.#pool.key('to', this.#self)
    this.#pool.client.xTrim(key, 'MINID', this.#lastRead, { strategyModifier: '~' }).catch((error: unknown) => {
      if (!isOutage(error)) log.error({ err: error }, 'fleet: the stream of this server could not be trimmed')
    })
  }

  /** Writes the users and matches of this server to a Redis that does not have them. */
  async #publishState(): Promise<void> {
    const { homes, here, matches } = this.#events.state()
    const self = this.#self
    const longest = Math.max(homes.length, here.length)
    for (let from = 0; from < longest; from += PUBLISH_COUNT) {
      const part = <T>(all: T[]) => all.slice(from, from + PUBLISH_COUNT)
      await this.#pool.run('publishUsers', { self, homes: part(homes), here: part(here) })
    }
    for (const match of matches) await this.#pool.run('publishMatch', { self, ...match })
    this.#events.requeue(this.queue.users())
  }

  /** Adopts the open matches of the store that no server has. */
  async #adoptOrphanedMatches(): Promise<void> {
    if (this.#options.isGuest) return
    for (const match of await this.#options.matchRecords.all()) {
      const { taken } = await this.#pool.run('adoptOrphan', { self: this.#self, ...match })
      if (taken) this.#events.adoptMatch(match)
    }
  }

  #restartUnderNewId(): void {
    this.#events.fenced()
    this.#channel.clear()
    this.#self = this.#newSelf()
    this.#lastRead = '0'
  }

  #newSelf(): string {
    return `${this.#options.isGuest ? GUEST_PREFIX : ''}${this.#options.newId()}`
  }
}
