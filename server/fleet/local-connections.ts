import type { FastifyBaseLogger } from 'fastify'
import { CHAT_DELIVERY_MS } from '#protocol/constants.ts'
import { hubErrorText } from '#protocol/hub.ts'
import type { Connection, InvokingConnection } from '../hub/connection.ts'
import type { ConnectionEvents } from '../hub/connection-events.ts'
import { Delivery } from '../hub/delivery.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import type { ConnectionFacts, ServerMessage, ServerMessageOf } from './server-messages.ts'

/** So many invocations of a connection may wait for their answers before it is not read. */
const PENDING_LIMIT = 256
const RETRY_MS = 250
/** A connection without acknowledgements that left this much unread gets nothing more: its home cannot know of it. */
const UNREAD_BYTES_MAX = 512 * 1024
/** The home answers in time what it can answer at all. */
const ANSWER_MS = CHAT_DELIVERY_MS + 2_000

type ConnectionLifecycle = {
  /** Makes the connection its user's, who is at home here. */
  arrive(connection: Connection, order: number, again: boolean): void
  lose(connection: Connection): void
  recover(connection: Connection): void
  quit(connection: Connection): void
  end(connection: Connection): void
}

type Deps = {
  fleet: Fleet
  clock: Clock
  log: FastifyBaseLogger
  lifecycle: ConnectionLifecycle
  /** Runs it here. */
  execute: (client: InvokingConnection, invocation: Invocation) => Promise<void> | undefined
  /** The number of the user's latest connection, of whom this server knows that they are at home here; else null. */
  orderHere: (accountId: string) => number | null
}

type Guest = {
  readonly connection: Connection
  /** Null while it is being asked for; this server while what came meanwhile is being done. */
  home: string | null
  order: number
  /** The connection was known to an earlier home. */
  again: boolean
  lastNumber: number
  readonly pending: Map<number, { invocation: Invocation; since: number }>
  quit: boolean
  over: boolean
  hasRoom: () => void
}

/** The connections at this server whose users are at home at another one, or it is not known yet where. */
export class LocalConnections {
  readonly #deps: Deps
  readonly #byConnection = new Map<Connection, Guest>()
  readonly #byId = new Map<string, Guest>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  readonly opened: ConnectionEvents['opened'] = (connection) => {
    this.#ask(this.#add(connection, null))
  }

  readonly invoked: ConnectionEvents['invoked'] = (connection, invocation) => {
    const guest = this.#byConnection.get(connection)
    const { fleet, execute, clock } = this.#deps
    if (!guest) return execute(connection, invocation)
    if (!fleet.available && invocation.target.toLowerCase() === 'initiatematchingwithpeers') {
      this.#refuse(guest, invocation)
      return undefined
    }
    guest.lastNumber += 1
    guest.pending.set(guest.lastNumber, { invocation, since: clock.now() })
    this.#pass(guest, guest.lastNumber, invocation)
    if (guest.pending.size < PENDING_LIMIT) return undefined
    return new Promise((resolve) => {
      guest.hasRoom = resolve
    })
  }

  readonly dropped: ConnectionEvents['dropped'] = (connection) =>
    this.#happened(connection, 'lost', this.#deps.lifecycle.lose)

  readonly resumed: ConnectionEvents['resumed'] = (connection) =>
    this.#happened(connection, 'back', this.#deps.lifecycle.recover)

  readonly closedByClient: ConnectionEvents['closedByClient'] = (connection) => {
    const guest = this.#byConnection.get(connection)
    if (guest) guest.quit = true
    this.#happened(connection, 'quit', this.#deps.lifecycle.quit)
  }

  readonly closed: ConnectionEvents['closed'] = (connection) => {
    const guest = this.#byConnection.get(connection)
    if (guest) guest.over = true
    this.#happened(connection, 'over', this.#deps.lifecycle.end)
    if (guest && guest.home !== null && guest.home !== this.#deps.fleet.self) this.#remove(guest)
  }

  /** What the home of a guest says to the connection. */
  take(from: string, mail: ServerMessageOf<'event' | 'answer' | 'close' | 'moved'>): void {
    const guest = this.#byId.get(mail.id)
    if (!guest) return
    switch (mail.t) {
      case 'event':
        this.#hear(guest, mail)
        break
      case 'answer':
        if (guest.home === from) this.#answered(guest, mail.n, mail.error)
        break
      case 'close':
        guest.connection.close({
          ...(mail.reason.error !== undefined && { error: mail.reason.error }),
          ...(mail.reason.allowReconnect && { allowReconnect: true }),
        })
        break
      case 'moved':
        if (guest.home !== from) return
        guest.home = mail.to
        for (const [n, { invocation }] of guest.pending) this.#pass(guest, n, invocation)
    }
  }

  /** The user of a connection that is here was at home here, and is so at that server from now on. */
  leaveHome(
    connection: Connection,
    home: string,
    order: number,
  ): { line: ConnectionFacts; expected: [number, Delivery][] } {
    const guest = this.#add(connection, home)
    guest.order = order
    guest.again = true
    const expected = connection.undelivered().map((delivery, index): [number, Delivery] => {
      this.#report(guest, index + 1, delivery)
      return [index + 1, delivery]
    })
    return { line: this.#factsOf(guest), expected }
  }

  /** The user of this connection is at home here from now on, and the roster knows it. */
  comeHome(id: string): Connection | null {
    const guest = this.#byId.get(id)
    if (!guest || guest.over) return null
    guest.home = this.#deps.fleet.self
    void this.#workOff(guest)
    return guest.connection
  }

  /** That server is gone; others have taken over whom it was home to. */
  died(server: string): void {
    for (const guest of this.#byConnection.values()) if (guest.home === server) this.#askAgain(guest)
  }

  clear(): void {
    for (const guest of this.#byConnection.values()) guest.hasRoom()
    this.#byConnection.clear()
    this.#byId.clear()
  }

  /** Refuses what was not answered in time. */
  sweep(now: number): void {
    const { fleet } = this.#deps
    for (const guest of this.#byConnection.values()) {
      // The user moved to a server of whose end this one had heard before.
      if (guest.home !== null && fleet.available && !fleet.knows(guest.home)) this.#askAgain(guest)
      for (const [n, { invocation, since }] of guest.pending) {
        if (now - since < ANSWER_MS) break
        if (guest.home === this.#deps.fleet.self) break
        guest.pending.delete(n)
        this.#refuse(guest, invocation)
        guest.hasRoom()
      }
    }
  }

  #add(connection: Connection, home: string | null): Guest {
    const guest: Guest = {
      connection,
      home,
      order: 0,
      again: false,
      lastNumber: 0,
      pending: new Map(),
      quit: false,
      over: false,
      hasRoom: () => undefined,
    }
    this.#byConnection.set(connection, guest)
    this.#byId.set(connection.id, guest)
    return guest
  }

  #remove(guest: Guest): void {
    if (this.#byConnection.get(guest.connection) === guest) this.#byConnection.delete(guest.connection)
    if (this.#byId.get(guest.connection.id) === guest) this.#byId.delete(guest.connection.id)
    guest.hasRoom()
  }

  #isKnown(guest: Guest): boolean {
    return this.#byConnection.get(guest.connection) === guest
  }

  #factsOf({ connection, order }: Guest): ConnectionFacts {
    const { id, accountId, sessionId, visit, region, isStateful, open } = connection
    return { id, accountId, sessionId, visit, region, isStateful, open, order }
  }

  #send(guest: Guest, mail: ServerMessage): void {
    const { fleet } = this.#deps
    if (guest.home !== null && guest.home !== fleet.self) fleet.send(guest.home, mail)
  }

  #pass(guest: Guest, n: number, { target, arguments: args }: Invocation): void {
    this.#send(guest, { t: 'invoke', id: guest.connection.id, n, target, args })
  }

  #happened(
    connection: Connection,
    state: ServerMessageOf<'is'>['state'],
    here: (this: ConnectionLifecycle, connection: Connection) => void,
  ): void {
    const guest = this.#byConnection.get(connection)
    if (!guest || guest.home === this.#deps.fleet.self) here.call(this.#deps.lifecycle, connection)
    else this.#send(guest, { t: 'is', id: connection.id, state })
  }

  #askAgain(guest: Guest): void {
    guest.home = null
    guest.again = true
    this.#ask(guest)
  }

  #ask(guest: Guest): void {
    const { fleet, clock, log, orderHere } = this.#deps
    const { accountId } = guest.connection
    fleet.attach(accountId).then(
      ({ home, order }) => this.#settle(guest, home, order),
      (error: unknown) => {
        if (!this.#isKnown(guest)) return
        const order = orderHere(accountId)
        if (order !== null && !fleet.available) {
          this.#settle(guest, fleet.self, order + 1)
          return
        }
        log.warn({ err: error, connection: guest.connection.id }, 'the home of a user could not be found yet')
        clock.after(RETRY_MS, () => {
          if (!this.#isKnown(guest) || guest.home !== null) return
          if (guest.over && !guest.quit) this.#remove(guest)
          else this.#ask(guest)
        })
      },
    )
  }

  #settle(guest: Guest, home: string, order: number): void {
    if (!this.#isKnown(guest) || guest.home !== null) return
    if (guest.over && !guest.quit) {
      this.#remove(guest)
      return
    }
    guest.home = home
    guest.order = order
    const { connection, again } = guest
    const { fleet, lifecycle } = this.#deps
    if (home === fleet.self) {
      lifecycle.arrive(connection, order, again)
      if (!connection.open && !guest.over) lifecycle.lose(connection)
      void this.#workOff(guest)
      return
    }
    this.#send(guest, { t: 'arrive', line: this.#factsOf(guest), again })
    for (const [n, { invocation }] of guest.pending) this.#pass(guest, n, invocation)
    if (guest.quit) this.#send(guest, { t: 'is', id: connection.id, state: 'quit' })
    if (guest.over) {
      this.#send(guest, { t: 'is', id: connection.id, state: 'over' })
      this.#remove(guest)
    }
  }

  /** Does here, in order, what was to be done elsewhere. */
  async #workOff(guest: Guest): Promise<void> {
    const { execute, lifecycle, fleet } = this.#deps
    for (const [n, { invocation }] of guest.pending) {
      await execute(guest.connection, invocation)
      guest.pending.delete(n)
    }
    if (guest.home !== fleet.self) return
    this.#remove(guest)
    if (guest.quit) lifecycle.quit(guest.connection)
    if (guest.over) lifecycle.end(guest.connection)
  }

  #hear(guest: Guest, { n, text }: ServerMessageOf<'event'>): void {
    const { connection } = guest
    if (!connection.accepts) return
    const delivery = new Delivery(text, null, this.#deps.clock.now())
    if (n !== null) this.#report(guest, n, delivery)
    if (!connection.isStateful && connection.backlog.bytes > UNREAD_BYTES_MAX) delivery.giveUp()
    else connection.deliver(delivery)
  }

  #report(guest: Guest, n: number, delivery: Delivery): void {
    const { id } = guest.connection
    delivery.whenSettled((delivered) => this.#send(guest, { t: 'settled', id, n, delivered }))
  }

  #answered(guest: Guest, n: number, error: string | null): void {
    const pending = guest.pending.get(n)
    if (!pending) return
    guest.pending.delete(n)
    guest.hasRoom()
    const { id } = pending.invocation
    if (id !== null) guest.connection.complete(id, error ?? undefined)
  }

  #refuse(guest: Guest, { id, target }: Invocation): void {
    if (id === null) return
    const isChat = target.toLowerCase() === 'sendchatmessagetopeer'
    const error = isChat
      ? hubErrorText('not-delivered', 'the peer did not get it in time')
      : hubErrorText('hub-unavailable', 'the servers cannot hear each other right now')
    guest.connection.complete(id, error)
  }
}
