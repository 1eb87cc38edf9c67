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
import { Membership } from './membership.ts'
import { isOutage, Pool, TakenForDead } from './pool.ts'

const READ_BLOCK_MS = 1_000
const READ_COUNT = 1_000
const RETRY_MS = 250
const TRIM_MS = 2_000
const REMEMBER_COUNT = 500

type Options = {
  client: RedisClient
  pool: string
  matchRecords: MatchRecords
  queue: QueueOptions
  clock: Clock
  newId: () => string
  log: FastifyBaseLogger
}

const noticeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('t', [
    v.object({ t: v.literal('move'), user: v.string(), to: v.string() }),
    v.object({ t: v.literal('open') }),
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

const noEvents: FleetEvents = {
  mail: () => undefined,
  moved: () => undefined,
  adopt: () => undefined,
  open: () => undefined,
  died: () => undefined,
  fenced: () => undefined,
  account: () => ({ homes: [], here: [], matches: [] }),
  requeue: () => undefined,
}

/** Servers that find each other in Redis. Each has one Stream, in which the others and the steps of the pool write to it. */
export class RedisFleet implements Fleet {
  readonly #options: Options
  readonly #pool: Pool
  readonly #reader: RedisClient
  readonly queue: RedisQueue
  readonly matchRecords: MatchRecords
  readonly #post: Channel
  readonly #lease: Membership
  #self: string
  #events = noEvents
  /** The latest of this server's stream that was read. */
  #lastRead = '0'
  #reading: Promise<void> = Promise.resolve()
  #stopped = false
  #cancelTrim: () => void = () => undefined

  constructor(options: Options) {
    const { client, pool, clock, newId, log, queue } = options
    this.#options = options
    this.#self = newId()
    this.#pool = new Pool(client, pool)
    this.#reader = readerOf(client)
    const self = () => this.#self
    const isAvailable = () => this.available
    this.queue = new RedisQueue({ pool: this.#pool, self, clock, isAvailable, ...queue })
    this.matchRecords = this.#sharedRecords(options.matchRecords)
    const deliver = (from: string, mail: unknown) => this.#events.mail(from, mail)
    this.#post = new Channel({ pool: this.#pool, clock, self, deliver })
    const events = {
      died: (server: string) => {
        this.#post.bury(server)
        this.#events.died(server)
      },
      fenced: () => this.#beginAnew(),
      unknown: () => this.#introduce(),
      gathered: () => this.#takeUp(),
      renewed: () => this.#events.open(),
    }
    this.#lease = new Membership({ pool: this.#pool, clock, self, log, events })
  }

  get self(): string {
    return this.#self
  }

  get available(): boolean {
    return this.#lease.isHeld
  }

  get tickets(): TicketStore {
    const { client } = this.#pool
    const keyOf = (token: string) => this.#pool.key('ticket', token)
    return {
      put: async (token, ticket, ms) => {
        if (!this.available) return false
        const kept = client.set(keyOf(token), ticket, { expiration: { type: 'PX', value: ms } })
        return kept.then(
          () => true,
          (error: unknown) => {
            if (!isOutage(error)) this.#options.log.error({ err: error }, 'a ticket could not be kept')
            return false
          },
        )
      },
      take: (token) => client.getDel(keyOf(token)),
    }
  }

  async start(events: FleetEvents): Promise<void> {
    this.#events = events
    await open(this.#reader)
    await this.#lease.start()
    this.#post.start()
    this.#reading = this.#read()
    this.#trim()
  }

  async attach(user: string): Promise<Attached> {
    const { home, order } = await this.#pool.run('attach', { self: this.#self, user })
    if (home === undefined || order === undefined) throw new Error('the pool did not say where the user is at home')
    return { home, order }
  }

  forget(user: string): void {
    const forgetting = this.#pool.run('forget', { self: this.#self, user })
    forgetting.catch((error: unknown) => {
      if (!isOutage(error)) this.#options.log.error({ err: error }, 'a user could not be forgotten')
    })
  }

  knows(server: string): boolean {
    return server === this.#self || this.#lease.others.has(server)
  }

  send(to: string, mail: object): void {
    this.#post.send(to, mail)
  }

  sendAll(mail: object): void {
    for (const server of this.#lease.others) this.#post.send(server, mail)
  }

  end(): void {
    this.queue.stop()
  }

  async leave(): Promise<void> {
    if (this.#stopped) return
    this.end()
    const { log } = this.#options
    try {
      if (this.#pool.client.isReady) {
        await this.queue.idle()
        await this.#post.flush()
        await this.#lease.retire()
      }
    } catch (error) {
      log.error({ err: error }, 'the other servers could not be told that this one ends')
    }
    this.#stopped = true
    this.#cancelTrim()
    this.#post.stop()
    if (this.#reader.isOpen) this.#reader.destroy()
    await this.#reading
  }

  #sharedRecords(matchRecords: MatchRecords): MatchRecords {
    return {
      open: async (session) => {
        const { refused } = await this.#pool.run('opened', { self: this.#self, ...session })
        if (refused) throw new AppError('wrong-state', 'the two are not on the way into this match')
        await matchRecords.open(session)
      },
      confirm: async (id, role, at) => {
        await matchRecords.confirm(id, role, at)
        if (role === 'Caller') await this.#tell('connected', { id })
      },
      close: async (id, at) => {
        await this.#tell('ended', { id })
        await matchRecords.close(id, at)
      },
      // The others have theirs; those that nobody has are taken up when everybody has had time to show up.
      all: async () => [],
    }
  }

  /** Of a server that was taken for dead nobody wants to hear it. */
  async #tell(step: string, args: Record<string, unknown>): Promise<void> {
    try {
      await this.#pool.run(step, { self: this.#self, ...args })
    } catch (error) {
      if (!(error instanceof TakenForDead)) throw error
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(RETRY_MS, resolve))
  }

  async #read(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#readOnce()
      } catch {
        await this.#pause()
      }
    }
  }

  async #readOnce(): Promise<void> {
    const self = this.#self
    const from = { key: this.#pool.key('to', self), id: this.#lastRead }
    const streams = await this.#reader.xRead(from, { BLOCK: READ_BLOCK_MS, COUNT: READ_COUNT })
    for (const { messages } of streams ?? []) {
      for (const { id, message } of messages) {
        // It has another name since, and another stream.
        if (self !== this.#self) return
        this.#lastRead = id
        this.#take(message)
      }
    }
  }

  #take(entry: Record<string, string>): void {
    try {
      if (entry.n !== undefined && entry.f === undefined) this.#notice(entry.n)
      else this.#post.receive(entry)
    } catch (error) {
      this.#options.log.error({ err: error }, 'a letter of another server could not be taken')
    }
  }

  #notice(text: string): void {
    const notice = parse(noticeSchema, text)
    switch (notice.t) {
      case 'move':
        this.queue.moved(notice.user)
        this.#events.moved(notice.user, notice.to)
        break
      case 'open':
        this.#events.open()
        break
      case 'joined':
        this.#lease.meet(notice.server)
        break
      case 'adopt': {
        const { t, ...session } = notice
        this.#events.adopt(session)
      }
    }
  }

  #trim(): void {
    const { clock, log } = this.#options
    this.#cancelTrim = clock.after(TRIM_MS, () => this.#trim())
    if (this.#lastRead === '0' || !this.#pool.client.isReady) return
    const key = this.#pool.key('to', this.#self)
    this.#pool.client.xTrim(key, 'MINID', this.#lastRead, { strategyModifier: '~' }).catch((error: unknown) => {
      if (!isOutage(error)) log.error({ err: error }, 'a stream could not be trimmed')
    })
  }

  /** Tells Redis what it does not know of this server, or not any more. */
  async #introduce(): Promise<void> {
    const { homes, here, matches } = this.#events.account()
    const self = this.#self
    const longest = Math.max(homes.length, here.length)
    for (let from = 0; from < longest; from += REMEMBER_COUNT) {
      const part = <T>(all: T[]) => all.slice(from, from + REMEMBER_COUNT)
      await this.#pool.run('remember', { self, homes: part(homes), here: part(here) })
    }
    for (const session of matches) await this.#pool.run('kept', { self, ...session })
    this.#events.requeue(this.queue.waiting())
  }

  /** Matches of which only the store knows: no server was left that had them. */
  async #takeUp(): Promise<void> {
    for (const session of await this.#options.matchRecords.all()) {
      const { taken } = await this.#pool.run('takeUp', { self: this.#self, ...session })
      if (taken) this.#events.adopt(session)
    }
  }

  #beginAnew(): void {
    this.#events.fenced()
    this.#post.clear()
    this.#self = this.#options.newId()
    this.#lastRead = '0'
  }
}
