import { Connection } from '../hub/connection.ts'
import { Delivery } from '../hub/delivery.ts'
import type { LocalHub } from '../hub/hub-router.ts'
import type { Invocation } from '../hub/messages.ts'
import type { UserConnection } from '../hub/user-connection.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Fleet } from './fleet.ts'
import type { LocalConnections } from './local-connections.ts'
import { RemoteConnection } from './remote-connection.ts'
import type { ConnectionFacts, ServerMessage, ServerMessageOf, WaitingDelivery } from './server-messages.ts'

/** How long messages for a user who moved are forwarded to the new home server. */
const FORWARD_MS = 60_000
const MOVE_TIMEOUT_MS = 3_000

type Deps = Pick<LocalHub, 'roster' | 'lifecycle' | 'execute'> & {
  fleet: Fleet
  clock: Clock
  localConnections: LocalConnections
}

function waitingOf({ text, matchId: session, since }: Delivery): WaitingDelivery {
  return { text, session, since }
}

function deliveryOf({ text, session, since }: WaitingDelivery): Delivery {
  return new Delivery(text, session, since)
}

function numbered(undelivered: [number, Delivery][]): ServerMessageOf<'member'>['undelivered'] {
  return undelivered
    .filter(([, delivery]) => delivery.isUnderWay)
    .map(([n, delivery]) => ({ n, ...waitingOf(delivery) }))
}

/** The users whose home is this server, wherever their connections are. */
export class HomeUsers {
  readonly #deps: Deps
  /** The connections of home users whose sockets are on other servers, by connection id. */
  readonly #remoteConnections = new Map<string, RemoteConnection>()
  readonly #executing = new WeakMap<RemoteConnection, Promise<void>>()
  /** By account id of a user who moved away, and by id of the user's connection: the new home server. */
  readonly #moved = new Map<string, { to: string; until: number }>()
  /** The number of each user's latest connection, by account id. */
  readonly #orders = new Map<string, number>()
  /** By account: what to call once the user's state is on this server. */
  readonly #awaited = new Map<string, Set<() => void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns the number of the user's latest connection; null for a user whose home is another server. */
  orderOf(accountId: string): number | null {
    return this.#deps.roster.has(accountId) ? (this.#orders.get(accountId) ?? 0) : null
  }

  /** Makes this the user's current connection, or closes this connection when a later one is known. */
  connect(connection: UserConnection, order: number, isReattached: boolean): void {
    const { accountId } = connection
    const { lifecycle } = this.#deps
    this.#moved.delete(accountId)
    if (order < (this.#orders.get(accountId) ?? 0)) {
      this.#closeOutdated(connection)
      return
    }
    this.#orders.set(accountId, order)
    lifecycle.opened(connection, isReattached)
    this.#notifyAwaiting(accountId)
  }

  /** Takes a message of a connection's server, or of a user's previous home server. */
  take(from: string, message: ServerMessageOf<'arrive' | 'is' | 'invoke' | 'settled' | 'member'>): void {
    if (message.t === 'member') {
      if (!this.#forward(message.account, message)) this.#moveIn(message)
      return
    }
    if (message.t === 'arrive') {
      const { line: facts, again } = message
      if (!this.#forward(facts.accountId, message)) this.connect(this.#addRemote(facts, from), facts.order, again)
      return
    }
    const connection = this.#remoteConnections.get(message.id)
    if (connection) this.#handle(connection, message)
    // The connection's server sends pending invocations again when it learns of the move.
    else if (message.t !== 'invoke') this.#forward(message.id, message)
  }

  /** The user's home is the server `to` from now on: sends it all state of the user. */
  moveOut(accountId: string, to: string): void {
    const { fleet, roster } = this.#deps
    if (to === fleet.self) return
    const member = roster.release(accountId)
    const order = this.#orders.get(accountId) ?? 0
    this.#orders.delete(accountId)
    this.#noteMove(accountId, to)
    const moving = this.#moveConnectionOut(member?.connection ?? null, to, order)
    const waiting = (member?.waiting ?? []).map(waitingOf)
    fleet.send(to, {
      t: 'member',
      account: accountId,
      visit: member?.visit ?? null,
      sessionId: member?.sessionId ?? null,
      waiting,
      ...moving,
    } satisfies ServerMessage)
  }

  /** The user has a connection in another region, with this number: an older connection here leaves. */
  displaced(accountId: string, order: number, visit: string | null): void {
    const { roster, lifecycle } = this.#deps
    if (order <= (this.#orders.get(accountId) ?? 0)) return
    // A connection with a lower number that moves here later is closed.
    this.#orders.set(accountId, order)
    const isSamePage = visit !== null && roster.visitOf(accountId) === visit
    const connection = roster.of(accountId)
    lifecycle.leave(accountId, 'the user connected in another region')
    connection?.close(isSamePage ? {} : { error: 'replaced' })
  }

  /** Resolves when the state of all these users is on this server, or after `MOVE_TIMEOUT_MS`. */
  async waitForUsers(accountIds: string[]): Promise<void> {
    const { roster } = this.#deps
    for (const accountId of accountIds) this.#moved.delete(accountId)
    const missing = accountIds.filter((accountId) => !roster.has(accountId))
    if (missing.length > 0) await Promise.all(missing.map((accountId) => this.#waitForUser(accountId)))
  }

  /** The user's home is this server now: messages for the user are no longer forwarded. */
  stopForwarding(accountId: string): void {
    this.#moved.delete(accountId)
  }

  died(server: string): void {
    for (const [id, { to }] of this.#moved) if (to === server) this.#moved.delete(id)
    for (const connection of this.#remoteConnections.values()) if (connection.at === server) this.#close(connection)
  }

  clear(): void {
    this.#remoteConnections.clear()
    this.#moved.clear()
    this.#orders.clear()
  }

  sweep(now: number): void {
    for (const [id, { until }] of this.#moved) {
      if (until > now) break
      this.#moved.delete(id)
    }
    for (const accountId of this.#orders.keys()) if (!this.#deps.roster.has(accountId)) this.#orders.delete(accountId)
  }

  /** Returns false when the user or connection has not moved away. */
  #forward(id: string, message: ServerMessage): boolean {
    const moved = this.#moved.get(id)
    if (!moved) return false
    this.#deps.fleet.send(moved.to, message)
    return true
  }

  #noteMove(id: string, to: string): void {
    // Deleted first, so that the map stays in the order of expiry.
    this.#moved.delete(id)
    this.#moved.set(id, { to, until: this.#deps.clock.now() + FORWARD_MS })
  }

  #closeOutdated(connection: UserConnection): void {
    const isSamePage = this.#deps.roster.visitOf(connection.accountId) === connection.visit
    connection.close(isSamePage ? {} : { error: 'replaced' })
  }

  #addRemote(facts: ConnectionFacts, at: string): RemoteConnection {
    const connection = new RemoteConnection(facts, at, (message) => this.#deps.fleet.send(at, message))
    this.#remoteConnections.set(connection.id, connection)
    this.#moved.delete(connection.id)
    return connection
  }

  #handle(connection: RemoteConnection, message: ServerMessageOf<'is' | 'invoke' | 'settled'>): void {
    const { lifecycle } = this.#deps
    if (message.t === 'settled') {
      connection.settled(message.n, message.delivered)
      return
    }
    if (message.t === 'invoke') {
      const { target, args, n } = message
      this.#execute(connection, { target, arguments: args, id: String(n), streams: false })
      return
    }
    switch (message.state) {
      case 'lost':
        connection.setOpen(false)
        lifecycle.dropped(connection)
        break
      case 'back':
        connection.setOpen(true)
        connection.network = message.network ?? connection.network
        lifecycle.resumed(connection)
        break
      case 'quit':
        lifecycle.closedByClient(connection)
        break
      case 'over':
        this.#close(connection)
    }
  }

  #close(connection: RemoteConnection): void {
    this.#remoteConnections.delete(connection.id)
    connection.markOver()
    this.#deps.lifecycle.closed(connection)
  }

  /** Executes the invocations of one connection in order, as for a connection to this server. */
  #execute(connection: RemoteConnection, invocation: Invocation): void {
    const { execute } = this.#deps
    const before = this.#executing.get(connection)
    const now = before ? before.then(() => execute(connection, invocation)) : execute(connection, invocation)
    if (!now) return
    const executing = now.then(() => {
      if (this.#executing.get(connection) === executing) this.#executing.delete(connection)
    })
    this.#executing.set(connection, executing)
  }

  #moveConnectionOut(connection: UserConnection | null, to: string, order: number) {
    const { fleet, localConnections } = this.#deps
    if (connection instanceof RemoteConnection) {
      fleet.send(connection.at, { t: 'moved', id: connection.id, to } satisfies ServerMessage)
      connection.mute()
      this.#remoteConnections.delete(connection.id)
      this.#noteMove(connection.id, to)
      return { at: connection.at, line: connection.facts, undelivered: numbered(connection.numberedUndelivered()) }
    }
    if (connection instanceof Connection) {
      const { facts, undelivered } = localConnections.moveOut(connection, to, order)
      return { at: fleet.self, line: facts, undelivered: numbered(undelivered) }
    }
    return { at: fleet.self, line: null, undelivered: [] }
  }

  #moveIn({ account, visit, sessionId, waiting, at, line: facts, undelivered }: ServerMessageOf<'member'>): void {
    const { fleet, roster, localConnections } = this.#deps
    const isLatest = facts !== null && facts.order >= (this.#orders.get(account) ?? 0)
    let connection: UserConnection | null = null
    if (facts && at === fleet.self) connection = localConnections.moveIn(facts.id)
    else if (facts) {
      const remote = this.#addRemote(facts, at)
      for (const one of undelivered) remote.addUndelivered(one.n, deliveryOf(one))
      connection = remote
    }
    if (facts && isLatest) this.#orders.set(account, facts.order)
    if (connection && !isLatest) this.#closeOutdated(connection)
    roster.adopt(account, { visit, sessionId, waiting: waiting.map(deliveryOf) }, isLatest ? connection : null)
    this.#notifyAwaiting(account)
  }

  #waitForUser(accountId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#awaited.get(accountId) ?? new Set()
      this.#awaited.set(accountId, waiting)
      const done = () => {
        cancel()
        waiting.delete(done)
        if (waiting.size === 0) this.#awaited.delete(accountId)
        resolve()
      }
      const cancel = this.#deps.clock.after(MOVE_TIMEOUT_MS, done)
      waiting.add(done)
    })
  }

  #notifyAwaiting(accountId: string): void {
    for (const done of [...(this.#awaited.get(accountId) ?? [])]) done()
  }
}
