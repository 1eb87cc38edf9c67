import type { FastifyBaseLogger } from 'fastify'
import { parse } from '#protocol/parse.ts'
import type { Connection } from '../hub/connection.ts'
import type { ConnectionHandlers, HubRouter, LocalHub } from '../hub/hub-router.ts'
import type { TicketStore } from '../hub/tickets.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import { HomeUsers } from './home-users.ts'
import { LocalConnections } from './local-connections.ts'
import { endLogin, LoginEndings } from './login-endings.ts'
import { GUEST_PREFIX } from './membership.ts'
import type { HomeFound } from './route.ts'
import { type ServerMessageOf, serverMessageSchema } from './server-messages.ts'

type Options = { fleet: Fleet; clock: Clock; log: FastifyBaseLogger }
type Parts = { hub: LocalHub; localConnections: LocalConnections; homeUsers: HomeUsers }

/**
 * Makes the hubs of many servers a single hub. Each user has a home server, which holds the roster entry, the match and the queue entry. A
 * connection to another server exchanges messages with the home server. The two users of a match have the same home server.
 */
export class FleetRouter implements HubRouter {
  readonly queue: Queue
  readonly matchRecords: MatchRecords
  readonly tickets: TicketStore
  readonly #options: Options
  readonly #endings = new LoginEndings()
  #parts: Parts | null = null

  constructor(options: Options) {
    const { fleet } = options
    this.#options = options
    this.queue = fleet.queue
    this.matchRecords = fleet.matchRecords
    this.tickets = fleet.tickets
  }

  async start(hub: LocalHub): Promise<ConnectionHandlers> {
    const { fleet, clock } = this.#options
    const { roster, matches, matching, openConnections } = hub
    const localConnections = new LocalConnections({
      ...this.#options,
      ...hub,
      attach: (connection, isReattached) => this.attach(connection, isReattached),
      connect: (connection, order, isReattached) => homeUsers.connect(connection, order, isReattached),
      orderHere: (accountId) => homeUsers.orderOf(accountId),
    })
    const homeUsers = new HomeUsers({ ...this.#options, ...hub, localConnections })
    this.#parts = { hub, localConnections, homeUsers }
    await fleet.start({
      message: (from, message) => this.#take(from, message),
      moved: (user, to) => homeUsers.moveOut(user, to),
      displaced: (user, order, visit) => homeUsers.displaced(user, order, visit),
      joined: (server) => {
        if (!server.startsWith(GUEST_PREFIX)) return
        for (const message of this.#endings.since(clock.now())) fleet.send(server, message)
      },
      adoptMatch: (match) => {
        homeUsers.stopForwarding(match.caller)
        homeUsers.stopForwarding(match.callee)
        matches.adopt(match)
      },
      pairsFound: () => matching.openPairs(),
      died: (server) => {
        homeUsers.died(server)
        localConnections.died(server)
      },
      fenced: () => {
        localConnections.clear()
        homeUsers.clear()
        roster.clear()
        matches.clear()
        // Messages about ended logins that other servers sent meanwhile are lost.
        hub.forgetLogins(null)
        openConnections.closeAll()
      },
      state: () => ({ homes: roster.accounts(), here: openConnections.accounts(), matches: matches.all() }),
      requeue: (users) => matching.requeue(users),
    })
    return localConnections
  }

  /** The connections of users of this server's own region. */
  get connections(): LocalConnections {
    return this.#started.localConnections
  }

  protected attach(connection: Connection, _isReattached: boolean): Promise<HomeFound> {
    return this.#options.fleet.attach(connection.accountId)
  }

  forget(accountId: string): void {
    this.#options.fleet.forget(accountId)
  }

  waitForUsers(accountIds: string[]): Promise<void> {
    return this.#started.homeUsers.waitForUsers(accountIds)
  }

  disconnectElsewhere(account: string): void {
    this.#endElsewhere({ t: 'shut', account })
  }

  logOutElsewhere(account: string, sessionId: string): void {
    this.#endElsewhere({ t: 'logged-out', account, sessionId })
  }

  forgetLoginsElsewhere(account: string): void {
    this.#options.fleet.sendAll({ t: 'changed', account } satisfies ServerMessageOf<'changed'>)
  }

  get hearsOthers(): boolean {
    return this.#options.fleet.isAvailable
  }

  sweep(now: number): void {
    const { localConnections, homeUsers } = this.#started
    localConnections.sweep(now)
    homeUsers.sweep(now)
  }

  stopRetries(): void {
    this.#options.fleet.stopRetries()
  }

  leave(): Promise<void> {
    return this.#options.fleet.leave()
  }

  get #started(): Parts {
    if (!this.#parts) throw new Error('the hub has not started')
    return this.#parts
  }

  #endElsewhere(message: ServerMessageOf<'shut' | 'logged-out'>): void {
    const { fleet, clock } = this.#options
    this.#endings.add(message, clock.now())
    fleet.sendAll(message)
  }

  #take(from: string, received: unknown): void {
    const { hub, localConnections, homeUsers } = this.#started
    const message = parse(serverMessageSchema, received)
    if (endLogin(hub, message)) return
    switch (message.t) {
      case 'event':
      case 'answer':
      case 'close':
      case 'moved':
        localConnections.take(from, message)
        break
      default:
        homeUsers.take(from, message)
    }
  }
}
