import { CHAT_DELIVERY_MS, HUB_RESUME_MS } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { NetworkOfUser } from '../matching/rules/candidates.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { Delivery } from './delivery.ts'
import { event as eventText } from './messages.ts'
import type { UserConnection } from './user-connection.ts'

/** How long the events for an absent user are kept: long enough to learn, after a late return, that the match has ended. */
const KEEP_MS = 2 * HUB_RESUME_MS
/** Characters that may wait for an absent user; more is given up at once. */
const WAITING_LIMIT = 1024 * 1024
/** Undelivered bytes and messages above which data of the peer is refused, far below the limit that cuts the user's connection. */
const RELAYED_BYTES_MAX = 256 * 1024
const RELAYED_MESSAGES_MAX = 1_000

class UserState {
  connection: UserConnection | null = null
  /** The page load of the latest connection that named one. */
  visit: string | null = null
  sessionId: string | null = null
  /** The network of the latest connection, for a user without a connection; null when this server has seen no connection. */
  network: NetworkOfUser | null = null
  /** Events that wait for a connection, in order. */
  waiting: Delivery[] = []
  waitingSize = 0
  /** The time at which a user without a connection is removed. */
  keepUntil: number

  constructor(keepUntil: number) {
    this.keepUntil = keepUntil
  }

  /** The deliveries on their way to the user, in order. */
  get pending(): Delivery[] {
    const undelivered = this.connection?.undelivered() ?? []
    return this.waiting.length === 0 ? undelivered : [...undelivered, ...this.waiting]
  }

  get isOverloaded(): boolean {
    const { bytes, messages } = this.connection?.backlog ?? { bytes: 0, messages: 0 }
    return this.waitingSize + bytes > RELAYED_BYTES_MAX || this.waiting.length + messages > RELAYED_MESSAGES_MAX
  }

  wait(deliveries: Delivery[]): void {
    this.waiting = deliveries
    this.waitingSize = deliveries.reduce((sum, { text }) => sum + text.length, 0)
  }

  /** Moves the undelivered events of the connection to `waiting`. */
  reclaimUndelivered(): void {
    this.wait(this.pending.filter((delivery) => delivery.isUnderWay))
  }

  giveUp(): void {
    for (const delivery of this.pending) delivery.giveUp()
    this.wait([])
  }
}

/** The state that moves with a user to another server. */
type Kept = Pick<UserState, 'visit' | 'sessionId' | 'waiting'>

/** Whether a user's new connection is of the same page load as the earlier connection. */
export type PageRelation = 'same page' | 'another page' | 'unknown'

function relationOf(visit: string | null, later: string | null): PageRelation {
  if (visit === null || later === null) return 'unknown'
  return visit === later ? 'same page' : 'another page'
}

/** The current connection of each user, and the events that wait for absent users. */
export class Roster {
  readonly #clock: Clock
  readonly #metrics: Pick<Metrics, 'relayed'>
  readonly #userRemoved: (accountId: string) => void
  readonly #users = new Map<string, UserState>()
  readonly #byId = new Map<string, UserConnection>()

  /** `userRemoved` is called when nothing is kept of a user any more. */
  constructor(clock: Clock, metrics: Pick<Metrics, 'relayed'>, userRemoved: (accountId: string) => void) {
    this.#clock = clock
    this.#metrics = metrics
    this.#userRemoved = userRemoved
  }

  /**
   * Makes this the user's current connection and closes the earlier connection: with the error `replaced`, unless it is
   * of the same page load. Undelivered events of the earlier connection wait for `deliverWaiting`; they are given up
   * when the two connections are of different page loads.
   */
  attach(connection: UserConnection): PageRelation {
    const user = this.#stateOf(connection.accountId)
    const { connection: earlier, visit } = user
    const relation = relationOf(visit, connection.visit)
    user.reclaimUndelivered()
    if (relation === 'another page') user.giveUp()
    user.connection = connection
    user.visit = connection.visit ?? visit
    user.sessionId = connection.sessionId
    this.#byId.set(connection.id, connection)
    if (earlier) {
      this.#byId.delete(earlier.id)
      earlier.close(relation === 'same page' ? {} : { error: 'replaced' })
    }
    return relation
  }

  /** Sends the waiting events over this connection, if it is the user's current one. */
  deliverWaiting(connection: UserConnection): void {
    const user = this.#users.get(connection.accountId)
    if (user?.connection !== connection) return
    const { waiting } = user
    user.wait([])
    for (const delivery of waiting) if (delivery.isUnderWay) this.#sendOrKeep(user, delivery)
  }

  /**
   * Removes a connection; its undelivered events wait for the user's next connection. Returns false when the connection
   * was not the user's current one.
   */
  detach(connection: UserConnection): boolean {
    this.#byId.delete(connection.id)
    const user = this.#users.get(connection.accountId)
    if (user?.connection !== connection) return false
    user.reclaimUndelivered()
    user.connection = null
    user.network = connection.network
    user.keepUntil = this.#clock.now() + KEEP_MS
    return true
  }

  /** Gives up the user's events, and removes a user without a connection. */
  removeUser(accountId: string): void {
    const user = this.#users.get(accountId)
    user?.giveUp()
    if (user?.connection !== null) return
    this.#users.delete(accountId)
    this.#userRemoved(accountId)
  }

  /** Removes the user and returns the stored state, for another server. Gives up no deliveries. */
  release(accountId: string): (Kept & Pick<UserState, 'connection'>) | null {
    const user = this.#users.get(accountId)
    if (!user) return null
    this.#users.delete(accountId)
    if (user.connection) this.#byId.delete(user.connection.id)
    const { connection, visit, sessionId, waiting } = user
    return { connection, visit, sessionId, waiting: waiting.filter((delivery) => delivery.isUnderWay) }
  }

  /** Adds what another server stored about the user. If this server has a newer connection of the user, it stays current. */
  adopt(accountId: string, { visit, sessionId, waiting }: Kept, connection: UserConnection | null): void {
    const user = this.#stateOf(accountId)
    user.visit ??= visit
    user.sessionId ??= sessionId
    if (!user.connection && connection) {
      user.connection = connection
      this.#byId.set(connection.id, connection)
    }
    if (user.connection?.accepts) {
      for (const delivery of waiting) user.connection.deliver(delivery)
      return
    }
    user.wait([...waiting, ...user.waiting])
  }

  accounts(): string[] {
    return [...this.#users.keys()]
  }

  has(accountId: string): boolean {
    return this.#users.has(accountId)
  }

  visitOf(accountId: string): string | null {
    return this.#users.get(accountId)?.visit ?? null
  }

  /** Removes all users, whose state is on other servers now. Gives up no deliveries. */
  clear(): void {
    this.#users.clear()
    this.#byId.clear()
  }

  isCurrent(connection: Pick<UserConnection, 'accountId'>): boolean {
    return this.#users.get(connection.accountId)?.connection === connection
  }

  of(accountId: string): UserConnection | undefined {
    return this.#users.get(accountId)?.connection ?? undefined
  }

  loginSessionOf(accountId: string): string | null {
    return this.#users.get(accountId)?.sessionId ?? null
  }

  /** Returns the network of the user's current or last connection; null when it is not known. */
  networkOf(accountId: string): NetworkOfUser | null {
    const user = this.#users.get(accountId)
    return user?.connection?.network ?? user?.network ?? null
  }

  ownerOf(connectionId: string): string | undefined {
    return this.#byId.get(connectionId)?.accountId
  }

  /**
   * Sends an event at once or on the user's return. With `matchId`, the event is given up at the end of the match or
   * after `CHAT_DELIVERY_MS`.
   */
  send<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>, matchId?: string): Delivery {
    const delivery = this.#delivery(event, args, matchId)
    this.#sendOrKeep(this.#stateOf(accountId), delivery)
    return delivery
  }

  /** Like `send`, for data of the user's peer: given up at once when too much is on its way to the user. */
  relay<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>, matchId?: string): Delivery {
    const delivery = this.#delivery(event, args, matchId)
    const user = this.#stateOf(accountId)
    if (user.isOverloaded) delivery.giveUp()
    else this.#sendOrKeep(user, delivery)
    return delivery
  }

  endMatch(accountId: string, matchId: string): void {
    const user = this.#users.get(accountId)
    for (const delivery of user?.pending ?? []) if (delivery.matchId === matchId) delivery.giveUp()
  }

  /** Gives up events of matches after `CHAT_DELIVERY_MS`, and removes users who did not come back. */
  sweep(now: number): void {
    for (const [accountId, user] of this.#users) {
      if (user.waiting.length > 0 || (user.connection && user.connection.backlog.messages > 0))
        for (const delivery of user.pending) {
          if (now - delivery.since < CHAT_DELIVERY_MS) break
          if (delivery.matchId !== null) delivery.giveUp()
        }
      if (user.connection === null && user.keepUntil <= now) this.removeUser(accountId)
    }
  }

  #stateOf(accountId: string): UserState {
    const user = this.#users.get(accountId) ?? new UserState(this.#clock.now() + KEEP_MS)
    this.#users.set(accountId, user)
    return user
  }

  #delivery<E extends HubEvent>(event: E, args: HubEventArguments<E>, matchId: string | null = null): Delivery {
    const since = this.#clock.now()
    const delivery = new Delivery(eventText(event, args), matchId, since)
    delivery.whenSettled((isDelivered) => {
      if (isDelivered) this.#metrics.relayed(event, this.#clock.now() - since)
    })
    return delivery
  }

  #sendOrKeep(user: UserState, delivery: Delivery): void {
    if (user.waiting.length === 0 && user.connection?.accepts) {
      user.connection.deliver(delivery)
      return
    }
    if (user.waitingSize > WAITING_LIMIT) {
      delivery.giveUp()
      return
    }
    user.waiting.push(delivery)
    user.waitingSize += delivery.text.length
  }
}
