import type { FastifyBaseLogger } from 'fastify'
import { CHAT_DELIVERY_MS } from '#protocol/constants.ts'
import { hubErrorText } from '#protocol/hub.ts'
import type { Connection } from '../hub/connection.ts'
import { Delivery } from '../hub/delivery.ts'
import type { ConnectionHandlers } from '../hub/hub-router.ts'
import type { Invocation } from '../hub/messages.ts'
import type { InvokingConnection } from '../hub/user-connection.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import { type AttachConnection, isJoin, Route } from './route.ts'
import type { ConnectionFacts, ServerMessage, ServerMessageOf, ToConnection } from './server-messages.ts'

/** Pending invocations of one connection above which its socket is paused. */
const PENDING_LIMIT = 256
const RETRY_MS = 250
/** Unread bytes above which deliveries to a connection of version 1 are given up. Its home server cannot see how much is unread. */
const UNREAD_BYTES_MAX = 512 * 1024
/** Time for the home server to return the result of an invocation. */
const RESULT_TIMEOUT_MS = CHAT_DELIVERY_MS + 2_000

/** How the user's home server handles each change of a connection. */
const changes = { lost: 'dropped', back: 'resumed', quit: 'closedByClient', over: 'closed' } as const

type Deps = {
  fleet: Fleet
  clock: Clock
  log: FastifyBaseLogger
  /** Makes the connection the current one of its user, whose home is this server. */
  connect: (connection: Connection, order: number, isReattached: boolean) => void
  lifecycle: Omit<ConnectionHandlers, 'opened' | 'invoked'>
  execute: (connection: InvokingConnection, invocation: Invocation) => Promise<void> | undefined
  attach: AttachConnection
  /** Returns the number of the user's latest connection; null unless this server is known to be the user's home. */
  orderHere: (accountId: string) => number | null
}

/** A connection whose invocations wait until `stay` or `move` is called. */
export type HeldConnection = {
  /** Forwards the invocations to the same home server. */
  stay(): void
  /** Gives the user a new home server by `to`; the new server executes `first` before the pending invocations. */
  move(to: LocalConnections, first?: Invocation): void
}

/** Connections whose socket is on this server and whose user's home is another server, or not known yet. */
export class LocalConnections implements ConnectionHandlers {
  readonly #deps: Deps
  /** By the id of the connection. */
  readonly #routes = new Map<string, Route>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  opened(connection: Connection): void {
    this.#findHome(this.#add(connection, null))
  }

  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined {
    const route = this.#routes.get(connection.id)
    const { fleet, execute, clock } = this.#deps
    if (!route) return execute(connection, invocation)
    if (!fleet.isAvailable && isJoin(invocation)) {
      this.#refuse(route, invocation)
      return undefined
    }
    route.lastNumber += 1
    route.pending.set(route.lastNumber, { invocation, since: clock.now() })
    this.#forward(route, route.lastNumber, invocation)
    if (route.pending.size < PENDING_LIMIT) return undefined
    return new Promise((resolve) => {
      route.resumeReading = resolve
    })
  }

  dropped(connection: Connection): void {
    this.#changed(connection, 'lost')
  }

  resumed(connection: Connection): void {
    this.#changed(connection, 'back')
  }

  closedByClient(connection: Connection): void {
    const route = this.#routes.get(connection.id)
    if (route) route.isClosedByClient = true
    this.#changed(connection, 'quit')
  }

  closed(connection: Connection): void {
    const route = this.#routes.get(connection.id)
    if (route) route.isOver = true
    this.#changed(connection, 'over')
    if (route && route.home !== null && route.home !== this.#deps.fleet.self) this.#remove(route)
  }

  /** Takes a message of a user's home server to a connection. */
  take(from: string, message: ToConnection): void {
    const route = this.#routes.get(message.id)
    if (!route) return
    switch (message.t) {
      case 'event':
        this.#deliver(route, message)
        break
      case 'answer':
        if (route.home === from) this.#complete(route, message.n, message.error)
        break
      case 'close':
        route.connection.close(message.reason)
        break
      case 'moved':
        if (route.home !== from) return
        route.home = message.to
        for (const [n, { invocation }] of route.pending) this.#forward(route, n, invocation)
    }
  }

  /** Routes a connection to `home`, the new home server of its user. Until now this server was the user's home. */
  moveOut(connection: Connection, home: string, order: number) {
    const route = this.#add(connection, home)
    route.order = order
    route.isReattached = true
    const undelivered = connection.undelivered().map((delivery, index): [number, Delivery] => {
      this.#report(route, index + 1, delivery)
      return [index + 1, delivery]
    })
    return { facts: this.#factsOf(route), undelivered }
  }

  /** Returns the connection whose user's home is this server from now on, or null when it is over. */
  moveIn(id: string): Connection | null {
    const route = this.#routes.get(id)
    if (!route || route.isOver) return null
    route.home = this.#deps.fleet.self
    void this.#executePending(route)
    return route.connection
  }

  /** The connections whose users' homes are other servers. */
  get all(): Connection[] {
    return [...this.#routes.values()].map(({ connection }) => connection)
  }

  has(connection: Connection): boolean {
    return this.#routes.has(connection.id)
  }

  /** Lets the invocations of a connection wait for its home server. Returns null if they need not wait: this server executes them, or the connection is over. */
  hold(connection: Connection): HeldConnection | null {
    const { fleet, lifecycle } = this.#deps
    const known = this.#routes.get(connection.id)
    if (known && (known.home === null || known.home === fleet.self || known.isOver)) return null
    const route = known ?? this.#add(connection, null)
    const home = known?.home ?? fleet.self
    const sent = route.lastNumber
    route.home = null
    const isHeld = () => this.#isCurrent(route) && route.home === null
    return {
      stay: () => {
        if (!isHeld()) return
        route.home = home
        if (home === fleet.self) this.#goOnHere(route)
        else this.#goOnThere(route, sent)
        if (home !== fleet.self && !connection.open) this.#send(route, { t: 'is', id: connection.id, state: 'lost' })
      },
      move: (to, first) => {
        if (!isHeld()) return
        if (home === fleet.self) lifecycle.closedByClient(connection)
        else
          for (const state of ['quit', 'over'] as const)
            fleet.send(home, { t: 'is', id: connection.id, state } satisfies ServerMessage)
        if (first) route.addFirst(first, this.#deps.clock.now())
        this.#handOver(route, to, true)
      },
    }
  }

  /** Hands a connection over to `to` while its home server is not known. */
  handOver(connection: Connection, to: LocalConnections): void {
    const route = this.#routes.get(connection.id)
    if (route && route.home === null) this.#handOver(route, to, route.isReattached)
  }

  /** Asks for the new home servers of users whose home server is dead. */
  died(server: string): void {
    for (const route of this.#routes.values()) if (route.home === server) this.#reattach(route)
  }

  clear(): void {
    for (const route of this.#routes.values()) route.resumeReading()
    this.#routes.clear()
  }

  /** Refuses invocations that have no result within `RESULT_TIMEOUT_MS`. */
  sweep(now: number): void {
    const { fleet } = this.#deps
    for (const route of this.#routes.values()) {
      // The user moved to a server that this server had already removed as dead.
      if (route.home !== null && fleet.isAvailable && !fleet.isMember(route.home)) this.#reattach(route)
      for (const [n, { invocation, since, isOurs }] of route.pending) {
        if (now - since < RESULT_TIMEOUT_MS) break
        if (route.home === fleet.self) break
        route.pending.delete(n)
        if (isOurs) route.connection.close({ allowReconnect: true })
        else this.#refuse(route, invocation)
        route.resumeReading()
      }
    }
  }

  #add(connection: Connection, home: string | null): Route {
    const route = new Route(connection, home)
    this.#routes.set(connection.id, route)
    return route
  }

  #handOver(route: Route, to: LocalConnections, isReattached: boolean): void {
    this.#remove(route)
    route.home = null
    route.isReattached = isReattached
    if (route.isOver) return
    to.#routes.set(route.connection.id, route)
    to.#findHome(route)
  }

  #remove(route: Route): void {
    if (this.#isCurrent(route)) this.#routes.delete(route.connection.id)
    route.resumeReading()
  }

  #isCurrent(route: Route): boolean {
    return this.#routes.get(route.connection.id) === route
  }

  #factsOf({ connection, order }: Route): ConnectionFacts {
    const { id, accountId, sessionId, visit, region, network, origin, isStateful, open } = connection
    return { id, accountId, sessionId, visit, region, network, origin, isStateful, open, order }
  }

  #send(route: Route, message: ServerMessage): void {
    const { fleet } = this.#deps
    if (route.home !== null && route.home !== fleet.self) fleet.send(route.home, message)
  }

  #forward(route: Route, n: number, { target, arguments: args }: Invocation): void {
    this.#send(route, { t: 'invoke', id: route.connection.id, n, target, args })
  }

  /** Reports a change of the connection to its user's home server; handles the change if this server is the home. */
  #changed(connection: Connection, state: keyof typeof changes): void {
    const { fleet, lifecycle } = this.#deps
    const route = this.#routes.get(connection.id)
    if (!route || route.home === fleet.self) lifecycle[changes[state]](connection)
    else this.#send(route, { t: 'is', id: connection.id, state, network: connection.network })
  }

  #reattach(route: Route): void {
    route.home = null
    route.isReattached = true
    this.#findHome(route)
  }

  #findHome(route: Route): void {
    const { fleet, clock, log, orderHere, attach } = this.#deps
    const { accountId } = route.connection
    attach(route.connection, route.isReattached).then(
      (found) => {
        if (typeof found !== 'function') this.#connect(route, found.home, found.order)
        else if (this.#isCurrent(route) && route.home === null) {
          found()
          if (this.#isCurrent(route)) this.#remove(route)
        }
      },
      (error: unknown) => {
        if (!this.#isCurrent(route)) return
        const order = orderHere(accountId)
        if (order !== null && !fleet.isAvailable) {
          this.#connect(route, fleet.self, order + 1)
          return
        }
        log.warn({ err: error, connection: route.connection.id }, 'fleet: the home server of a user was not found')
        clock.after(RETRY_MS, () => {
          if (!this.#isCurrent(route) || route.home !== null) return
          if (route.isOver && !route.isClosedByClient) this.#remove(route)
          else this.#findHome(route)
        })
      },
    )
  }

  #connect(route: Route, home: string, order: number): void {
    if (!this.#isCurrent(route) || route.home !== null) return
    if (route.isOver && !route.isClosedByClient) {
      this.#remove(route)
      return
    }
    route.home = home
    route.order = order
    const { connection, isReattached } = route
    const { fleet, connect } = this.#deps
    if (home === fleet.self) {
      connect(connection, order, isReattached)
      this.#goOnHere(route)
      return
    }
    this.#send(route, { t: 'arrive', line: this.#factsOf(route), again: isReattached })
    this.#goOnThere(route, 0)
  }

  #goOnHere(route: Route): void {
    if (!route.connection.open && !route.isOver) this.#deps.lifecycle.dropped(route.connection)
    void this.#executePending(route)
  }

  /** Forwards the pending invocations after number `sent`, and the changes of the connection that happened meanwhile. */
  #goOnThere(route: Route, sent: number): void {
    const { connection } = route
    for (const [n, { invocation }] of route.pending) if (n > sent) this.#forward(route, n, invocation)
    if (route.isClosedByClient) this.#send(route, { t: 'is', id: connection.id, state: 'quit' })
    if (route.isOver) {
      this.#send(route, { t: 'is', id: connection.id, state: 'over' })
      this.#remove(route)
    }
  }

  /** Executes on this server, in order, the invocations that waited for a home server. */
  async #executePending(route: Route): Promise<void> {
    const { execute, lifecycle, fleet } = this.#deps
    for (const [n, { invocation }] of route.pending) {
      await execute(route.connection, invocation)
      route.pending.delete(n)
    }
    if (route.home !== fleet.self) return
    this.#remove(route)
    if (route.isClosedByClient) lifecycle.closedByClient(route.connection)
    if (route.isOver) lifecycle.closed(route.connection)
  }

  #deliver(route: Route, { n, text }: ServerMessageOf<'event'>): void {
    const { connection } = route
    if (!connection.accepts) return
    const delivery = new Delivery(text, null, this.#deps.clock.now())
    if (n !== null) this.#report(route, n, delivery)
    if (!connection.isStateful && connection.backlog.bytes > UNREAD_BYTES_MAX) delivery.giveUp()
    else connection.deliver(delivery)
  }

  /** Reports the outcome of a delivery to the home server that numbered it; a later home server starts new numbers. */
  #report(route: Route, n: number, delivery: Delivery): void {
    const { id } = route.connection
    const { order } = route
    delivery.whenSettled((delivered) => {
      if (route.order === order) this.#send(route, { t: 'settled', id, n, delivered })
    })
  }

  #complete(route: Route, n: number, error: string | null): void {
    const pending = route.pending.get(n)
    if (!pending) return
    route.pending.delete(n)
    route.resumeReading()
    const { id } = pending.invocation
    if (id !== null) route.connection.complete(id, error ?? undefined)
    // The page does not know of this invocation. It searches, so it joins again after it has reconnected.
    else if (pending.isOurs && error !== null) route.connection.close({ allowReconnect: true })
  }

  #refuse(route: Route, { id, target }: Invocation): void {
    if (id === null) return
    const isChat = target.toLowerCase() === 'sendchatmessagetopeer'
    const error = isChat
      ? hubErrorText('not-delivered', 'the peer did not get it in time')
      : hubErrorText('hub-unavailable', 'the servers cannot hear each other right now')
    route.connection.complete(id, error)
  }
}
