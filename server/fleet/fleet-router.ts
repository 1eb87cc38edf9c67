import type { FastifyBaseLogger } from 'fastify'
import { parse } from '#protocol/parse.ts'
import type { Connection } from '../hub/connection.ts'
import type { HubRouter, LocalHub } from '../hub/hub-router.ts'
import type { Invocation } from '../hub/messages.ts'
import type { TicketStore } from '../hub/tickets.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import { HomeUsers } from './home-users.ts'
import { LocalConnections } from './local-connections.ts'
import type { ServerMessage } from './server-messages.ts'
import { serverMessageSchema } from './server-messages.ts'

type Options = { fleet: Fleet; clock: Clock; log: FastifyBaseLogger }
type Parts = { hub: LocalHub; localConnections: LocalConnections; homeUsers: HomeUsers }

/**
 * Makes the hubs of many servers one. Each user has one home server, which holds their roster entry, match and queue entry;
 * a connection to another server exchanges messages with the home server. Two who are matched have the same home server.
 */
export class FleetRouter implements HubRouter {
  readonly queue: Queue
  readonly matchRecords: MatchRecords
  readonly tickets: TicketStore
  readonly #options: Options
  #parts: Parts | null = null

  constructor(options: Options) {
    const { fleet } = options
    this.#options = options
    this.queue = fleet.queue
    this.matchRecords = fleet.matchRecords
    this.tickets = fleet.tickets
  }

  async start(hub: LocalHub): Promise<void> {
    const { fleet } = this.#options
    const { roster, matches, matching, lifecycle, openConnections } = hub
    const localConnections = new LocalConnections({
      ...this.#options,
      ...hub,
      lifecycle: {
        connect: (connection, order, isReattached) => homeUsers.connect(connection, order, isReattached),
        drop: (connection) => lifecycle.drop(connection),
        resume: (connection) => lifecycle.resume(connection),
        closeByClient: (connection) => lifecycle.closeByClient(connection),
        close: (connection) => lifecycle.close(connection),
      },
      orderHere: (accountId) => homeUsers.orderOf(accountId),
    })
    const homeUsers = new HomeUsers({ ...this.#options, ...hub, localConnections })
    this.#parts = { hub, localConnections, homeUsers }
    await fleet.start({
      message: (from, message) => this.#take(from, message),
      moved: (user, to) => homeUsers.moveOut(user, to),
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
        // What the other servers sent meanwhile is lost.
        hub.forgetLogins(null)
        openConnections.closeAll()
      },
      state: () => ({ homes: roster.accounts(), here: openConnections.accounts(), matches: matches.all() }),
      requeue: (users) => matching.requeue(users),
    })
  }

  opened(connection: Connection): void {
    this.#started.localConnections.opened(connection)
  }

  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined {
    return this.#started.localConnections.invoked(connection, invocation)
  }

  dropped(connection: Connection): void {
    this.#started.localConnections.dropped(connection)
  }

  resumed(connection: Connection): void {
    this.#started.localConnections.resumed(connection)
  }

  closedByClient(connection: Connection): void {
    this.#started.localConnections.closedByClient(connection)
  }

  closed(connection: Connection): void {
    this.#started.localConnections.closed(connection)
  }

  forget(accountId: string): void {
    this.#options.fleet.forget(accountId)
  }

  waitForUsers(accountIds: string[]): Promise<void> {
    return this.#started.homeUsers.waitForUsers(accountIds)
  }

  disconnectElsewhere(account: string): void {
    this.#options.fleet.sendAll({ t: 'shut', account } satisfies ServerMessage)
  }

  logOutElsewhere(account: string, sessionId: string): void {
    this.#options.fleet.sendAll({ t: 'logged-out', account, sessionId } satisfies ServerMessage)
  }

  forgetLoginsElsewhere(account: string): void {
    this.#options.fleet.sendAll({ t: 'changed', account } satisfies ServerMessage)
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

  #take(from: string, received: unknown): void {
    const { hub, localConnections, homeUsers } = this.#started
    const message = parse(serverMessageSchema, received)
    switch (message.t) {
      case 'event':
      case 'answer':
      case 'close':
      case 'moved':
        localConnections.take(from, message)
        break
      case 'shut':
        hub.openConnections.disconnect(message.account)
        break
      case 'changed':
        hub.forgetLogins(message.account)
        break
      case 'logged-out':
        hub.openConnections.logOut(message.account, message.sessionId)
        break
      default:
        homeUsers.take(from, message)
    }
  }
}
