import type { FastifyBaseLogger } from 'fastify'
import { parse } from '#protocol/parse.ts'
import type { LocalHub } from '../hub/hub-router.ts'
import { type Clock, pause } from '../platform/rules/clock.ts'
import type { FleetEvents } from './fleet.ts'
import { LocalConnections } from './local-connections.ts'
import { endLogin } from './login-endings.ts'
import { isOutage } from './pool.ts'
import { noEvents, type RedisFleet } from './redis-fleet.ts'
import type { AttachConnection } from './route.ts'
import { serverMessageSchema } from './server-messages.ts'

const RETRY_MS = 1_000

/** A region as this server sees it: its pool, and the connections of this server whose users are in that pool. */
export type Region = { readonly name: string; readonly fleet: RedisFleet; readonly connections: LocalConnections }

type Options = { name: string; fleet: RedisFleet; attach: AttachConnection; clock: Clock; log: FastifyBaseLogger }

/**
 * Another region, in whose pool this server is a guest: this server receives messages about ended logins, and has
 * connections of users whose home servers are in that pool.
 */
export class GuestRegion implements Region {
  readonly name: string
  readonly fleet: RedisFleet
  readonly #options: Options
  #connections: LocalConnections | null = null
  #isStopped = false
  /** Since when no user can be sent to the region; null while users can. */
  #goneSince: number | null = null

  constructor(options: Options) {
    this.name = options.name
    this.fleet = options.fleet
    this.#options = options
  }

  get connections(): LocalConnections {
    if (!this.#connections) throw new Error('the hub has not started')
    return this.#connections
  }

  /** Resolves when this server is a guest of the pool; there is no time limit. */
  async start(hub: LocalHub): Promise<void> {
    const { fleet, clock, log } = this.#options
    const nothing = () => undefined
    // This server is not the home server of any user of that pool.
    const lifecycle = { dropped: nothing, resumed: nothing, closedByClient: nothing, closed: nothing }
    const connections = new LocalConnections({
      ...this.#options,
      execute: hub.execute,
      connect: nothing,
      lifecycle,
      orderHere: () => null,
    })
    this.#connections = connections
    const events: FleetEvents = {
      ...noEvents,
      message: (from, received) => {
        const message = parse(serverMessageSchema, received)
        if (endLogin(hub, message)) return
        if (message.t === 'event' || message.t === 'answer' || message.t === 'close' || message.t === 'moved')
          connections.take(from, message)
      },
      died: (server) => connections.died(server),
      fenced: () => {
        hub.forgetLogins(null)
        this.#closeAll()
      },
      state: () => ({ homes: [], here: connections.all.map(({ accountId }) => accountId), matches: [] }),
    }
    while (!this.#isStopped) {
      try {
        await fleet.start(events)
        return
      } catch (error) {
        if (!isOutage(error)) log.error({ err: error }, 'fleet: this server could not join the pool of another region')
        await pause(clock, RETRY_MS)
      }
    }
  }

  /** Returns for how many milliseconds no user could be sent to the region. */
  goneFor(now: number): number {
    this.#goneSince = this.fleet.hasHomeServers ? null : (this.#goneSince ?? now)
    return this.#goneSince === null ? 0 : now - this.#goneSince
  }

  sweep(now: number, giveUpAfterMs: number): void {
    this.connections.sweep(now)
    if (this.goneFor(now) >= giveUpAfterMs) this.#closeAll()
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.fleet.leave()
  }

  /** Closes all connections, so that the pages reconnect and their users begin anew in this server's region. */
  #closeAll(): void {
    for (const connection of this.connections.all) connection.close({ allowReconnect: true })
  }
}
