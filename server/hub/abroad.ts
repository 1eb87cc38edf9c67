import type { FastifyBaseLogger } from 'fastify'
import { parse } from '#protocol/parse.ts'
import type { Fleet } from '../domain/fleet.ts'
import type { Clock } from '../domain/ports.ts'
import type { Attendance } from './attendance.ts'
import type { Client } from './connection.ts'
import { Guests } from './guests.ts'
import { type Mail, mailSchema } from './mail.ts'
import type { Matching } from './matching.ts'
import type { Invocation } from './messages.ts'
import { Residents } from './residents.ts'
import type { Roster } from './roster.ts'
import type { Sessions } from './sessions.ts'

type Deps = {
  fleet: Fleet
  clock: Clock
  log: FastifyBaseLogger
  roster: Roster
  sessions: Sessions
  matching: Matching
  attendance: Attendance
  execute: (client: Client, invocation: Invocation) => Promise<void> | undefined
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
export class Abroad {
  readonly guests: Guests
  readonly #deps: Deps
  readonly #residents: Residents

  constructor(deps: Deps) {
    const { attendance } = deps
    this.#deps = deps
    this.guests = new Guests({
      ...deps,
      attendance: {
        arrive: (connection, order, again) => this.#residents.arrive(connection, order, again),
        lose: (connection) => attendance.lose(connection),
        recover: (connection) => attendance.recover(connection),
        quit: (connection) => attendance.quit(connection),
        end: (connection) => attendance.end(connection),
      },
      orderHere: (accountId) => this.#residents.orderOf(accountId),
    })
    this.#residents = new Residents({ ...deps, guests: this.guests })
  }

  start(): Promise<void> {
    const { fleet, roster, sessions, matching, here } = this.#deps
    return fleet.start({
      mail: (from, mail) => this.#take(from, mail),
      moved: (user, to) => this.#residents.moved(user, to),
      adopt: (session) => {
        this.#residents.settleHere(session.caller)
        this.#residents.settleHere(session.callee)
        sessions.adopt(session)
      },
      open: () => matching.open(),
      died: (server) => {
        this.#residents.died(server)
        this.guests.died(server)
      },
      fenced: () => {
        this.guests.clear()
        this.#residents.clear()
        roster.clear()
        sessions.clear()
        here.closeAll()
      },
      account: () => ({ homes: roster.accounts(), here: here.accounts(), sessions: sessions.all() }),
      requeue: (users) => matching.requeue(users),
    })
  }

  gather(accountIds: string[]): Promise<void> {
    return this.#residents.gather(accountIds)
  }

  shut(account: string): void {
    this.#deps.fleet.sendAll({ t: 'shut', account } satisfies Mail)
  }

  logOut(account: string, sessionId: string): void {
    this.#deps.fleet.sendAll({ t: 'logged-out', account, sessionId } satisfies Mail)
  }

  sweep(now: number): void {
    this.guests.sweep(now)
    this.#residents.sweep(now)
  }

  #take(from: string, letter: unknown): void {
    const { here } = this.#deps
    const mail = parse(mailSchema, letter)
    switch (mail.t) {
      case 'event':
      case 'answer':
      case 'close':
      case 'moved':
        this.guests.take(from, mail)
        break
      case 'shut':
        here.shut(mail.account)
        break
      case 'logged-out':
        here.logOut(mail.account, mail.sessionId)
        break
      default:
        this.#residents.take(from, mail)
    }
  }
}
