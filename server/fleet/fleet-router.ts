import type { FastifyBaseLogger } from 'fastify'
import { parse } from '#protocol/parse.ts'
import type { InvokingConnection } from '../hub/connection.ts'
import type { ConnectionLifecycle } from '../hub/connection-lifecycle.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Roster } from '../hub/roster.ts'
import type { Matches } from '../matching/matches.ts'
import type { Matching } from '../matching/matchmaker.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { HomeUsers } from './home-users.ts'
import { LocalConnections } from './local-connections.ts'
import type { Fleet } from './rules/fleet.ts'
import { type ServerMessage, serverMessageSchema } from './server-messages.ts'

type Deps = {
  fleet: Fleet
  clock: Clock
  log: FastifyBaseLogger
  roster: Roster
  matches: Matches
  matching: Matching
  lifecycle: ConnectionLifecycle
  execute: (client: InvokingConnection, invocation: Invocation) => Promise<void> | undefined
  /** What concerns the connections of this server. */
  here: {
    accounts(): string[]
    closeAll(): void
    shut(accountId: string): void
    logOut(accountId: string, sessionId: string): void
  }
}

/**
 * Makes the hubs of many servers one. Each user is at home at one server, where the roster, the session and the matching
 * know them; a connection at another server is a line that reaches there. Two who are matched are at home at the same one.
 */
export class FleetRouter {
  readonly localConnections: LocalConnections
  readonly #deps: Deps
  readonly #homeUsers: HomeUsers

  constructor(deps: Deps) {
    const { lifecycle } = deps
    this.#deps = deps
    this.localConnections = new LocalConnections({
      ...deps,
      lifecycle: {
        arrive: (connection, order, again) => this.#homeUsers.arrive(connection, order, again),
        lose: (connection) => lifecycle.lose(connection),
        recover: (connection) => lifecycle.recover(connection),
        quit: (connection) => lifecycle.quit(connection),
        end: (connection) => lifecycle.end(connection),
      },
      orderHere: (accountId) => this.#homeUsers.orderOf(accountId),
    })
    this.#homeUsers = new HomeUsers({ ...deps, localConnections: this.localConnections })
  }

  start(): Promise<void> {
    const { fleet, roster, matches, matching, here } = this.#deps
    return fleet.start({
      mail: (from, mail) => this.#take(from, mail),
      moved: (user, to) => this.#homeUsers.moved(user, to),
      adopt: (session) => {
        this.#homeUsers.settleHere(session.caller)
        this.#homeUsers.settleHere(session.callee)
        matches.adopt(session)
      },
      open: () => matching.open(),
      died: (server) => {
        this.#homeUsers.died(server)
        this.localConnections.died(server)
      },
      fenced: () => {
        this.localConnections.clear()
        this.#homeUsers.clear()
        roster.clear()
        matches.clear()
        here.closeAll()
      },
      account: () => ({ homes: roster.accounts(), here: here.accounts(), matches: matches.all() }),
      requeue: (users) => matching.requeue(users),
    })
  }

  gather(accountIds: string[]): Promise<void> {
    return this.#homeUsers.gather(accountIds)
  }

  shut(account: string): void {
    this.#deps.fleet.sendAll({ t: 'shut', account } satisfies ServerMessage)
  }

  logOut(account: string, sessionId: string): void {
    this.#deps.fleet.sendAll({ t: 'logged-out', account, sessionId } satisfies ServerMessage)
  }

  sweep(now: number): void {
    this.localConnections.sweep(now)
    this.#homeUsers.sweep(now)
  }

  #take(from: string, letter: unknown): void {
    const { here } = this.#deps
    const mail = parse(serverMessageSchema, letter)
    switch (mail.t) {
      case 'event':
      case 'answer':
      case 'close':
      case 'moved':
        this.localConnections.take(from, mail)
        break
      case 'shut':
        here.shut(mail.account)
        break
      case 'logged-out':
        here.logOut(mail.account, mail.sessionId)
        break
      default:
        this.#homeUsers.take(from, mail)
    }
  }
}
