import { CHAT_DELIVERY_MS, HUB_RESUME_MS } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import { type Metrics, noMetrics } from '../operations/rules/metrics.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { UserConnection } from './connection.ts'
import { Delivery } from './delivery.ts'
import { event as eventText } from './messages.ts'

/** Long enough for whoever comes back late to hear that the session ended without them. */
const KEEP_MS = 2 * HUB_RESUME_MS
/** Characters that wait for somebody who is not there; more is given up at once. */
const WAITING_LIMIT = 1024 * 1024
/**
 * What may be on its way to a user before more from their peer is refused, in bytes and in messages. It is far below the
 * limit at which a connection is cut, so that a peer cannot cut the connection by sending much to it.
 */
const RELAYED_BYTES_MAX = 256 * 1024
const RELAYED_MESSAGES_MAX = 1_000

type UserState = {
  connection: UserConnection | null
  visit: string | null
  /** The login of the latest connection. */
  sessionId: string | null
  /** What no connection of theirs has taken, in order. */
  waiting: Delivery[]
  waitingSize: number
  /** When everything is given up that waits for them. */
  keepUntil: number
}

export type Released = Pick<UserState, 'connection' | 'visit' | 'sessionId' | 'waiting'>

/** How the newer connection of a user follows the older one. */
export type PageRelation = 'same page' | 'another page' | 'unknown'

/** The one current connection of each user, all that are open by id, and what waits for those who are away. */
export class Roster {
  readonly #clock: Clock
  readonly #metrics: Pick<Metrics, 'relayed'>
  readonly #forgotten: (accountId: string) => void
  readonly #users = new Map<string, UserState>()
  readonly #byId = new Map<string, UserConnection>()

  /** `forgotten` is told of everybody of whom nothing is kept any more. */
  constructor(
    clock: Clock,
    told: { metrics?: Pick<Metrics, 'relayed'>; forgotten?: (accountId: string) => void } = {},
  ) {
    this.#clock = clock
    this.#metrics = told.metrics ?? noMetrics
    this.#forgotten = told.forgotten ?? (() => undefined)
  }

  /**
   * Makes this the user's connection and hands over what the earlier one did not get to its page. An earlier one that
   * is still there ends; where it belongs to another load of the page it is told that it was replaced.
   */
  attach(connection: UserConnection): PageRelation {
    const member = this.#stateOf(connection.accountId)
    const { connection: earlier, visit } = member
    const isKnown = visit !== null && connection.visit !== null
    const arrival = isKnown ? (visit === connection.visit ? 'same page' : 'another page') : 'unknown'
    this.#collect(member)
    if (arrival === 'another page') this.#giveUp(member)
    member.connection = connection
    member.visit = connection.visit ?? visit
    member.sessionId = connection.sessionId
    this.#byId.set(connection.id, connection)
    if (earlier) {
      this.#byId.delete(earlier.id)
      earlier.close(arrival === 'same page' ? {} : { error: 'replaced' })
    }
    return arrival
  }

  /** Hands the user's connection what waited for it. */
  deliverWaiting(connection: UserConnection): void {
    const member = this.#users.get(connection.accountId)
    if (member?.connection !== connection) return
    const { waiting } = member
    member.waiting = []
    member.waitingSize = 0
    for (const delivery of waiting) if (delivery.isUnderWay) this.#pass(member, delivery)
  }

  /** False when the connection was no longer its user's current one. What it did not deliver waits for the next. */
  detach(connection: UserConnection): boolean {
    this.#byId.delete(connection.id)
    const member = this.#users.get(connection.accountId)
    if (member?.connection !== connection) return false
    this.#collect(member)
    member.connection = null
    member.keepUntil = this.#clock.now() + KEEP_MS
    return true
  }

  /** The user is not expected back. */
  removeUser(accountId: string): void {
    const member = this.#users.get(accountId)
    if (member) this.#giveUp(member)
    if (member?.connection !== null) return
    this.#users.delete(accountId)
    this.#forgotten(accountId)
  }

  /** Takes everything of the user out, as it is, for another server. */
  release(accountId: string): Released | null {
    const member = this.#users.get(accountId)
    if (!member) return null
    this.#users.delete(accountId)
    if (member.connection) this.#byId.delete(member.connection.id)
    const { connection, visit, sessionId, waiting } = member
    return { connection, visit, sessionId, waiting: waiting.filter((delivery) => delivery.isUnderWay) }
  }

  /** Takes in what another server kept of the user; a connection that came here since remains theirs. */
  adopt(
    accountId: string,
    { visit, sessionId, waiting }: Omit<Released, 'connection'>,
    connection: UserConnection | null,
  ): void {
    const member = this.#stateOf(accountId)
    member.visit ??= visit
    member.sessionId ??= sessionId
    if (!member.connection && connection) {
      member.connection = connection
      this.#byId.set(connection.id, connection)
    }
    if (member.connection?.accepts) {
      for (const delivery of waiting) member.connection.deliver(delivery)
      return
    }
    member.waiting.unshift(...waiting)
    member.waitingSize = member.waiting.reduce((sum, { text }) => sum + text.length, 0)
  }

  /** Everybody of whom something is kept. */
  accounts(): string[] {
    return [...this.#users.keys()]
  }

  has(accountId: string): boolean {
    return this.#users.has(accountId)
  }

  visitOf(accountId: string): string | null {
    return this.#users.get(accountId)?.visit ?? null
  }

  /** Forgets everybody at once: others keep them now. */
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

  /** In which login the user is here, or was until a moment ago. */
  loginSessionOf(accountId: string): string | null {
    return this.#users.get(accountId)?.sessionId ?? null
  }

  /** Whose open connection this is. */
  ownerOf(connectionId: string): string | undefined {
    return this.#byId.get(connectionId)?.accountId
  }

  /** On its way to the user now, or as soon as they are back. With a `session`, its end gives it up, and so does time. */
  send<E extends HubEvent>(
    accountId: string,
    event: E,
    args: HubEventArguments<E>,
    session: string | null = null,
  ): Delivery {
    const delivery = this.#delivery(event, args, session)
    this.#pass(this.#stateOf(accountId), delivery)
    return delivery
  }

  /** Like `tell`, for what the peer of the user sends. It is given up at once when too much is on its way to the user. */
  relay<E extends HubEvent>(
    accountId: string,
    event: E,
    args: HubEventArguments<E>,
    session: string | null = null,
  ): Delivery {
    const delivery = this.#delivery(event, args, session)
    const member = this.#stateOf(accountId)
    if (this.#isBehind(member)) delivery.giveUp()
    else this.#pass(member, delivery)
    return delivery
  }

  /** Gives up what this session still had for the user. */
  endMatch(accountId: string, session: string): void {
    const member = this.#users.get(accountId)
    for (const delivery of member ? this.#pending(member) : []) if (delivery.matchId === session) delivery.giveUp()
  }

  /** Gives up what has waited too long, and forgets who did not come back. */
  sweep(now: number): void {
    for (const [accountId, member] of this.#users) {
      for (const delivery of this.#pending(member)) {
        if (now - delivery.since < CHAT_DELIVERY_MS) break
        if (delivery.matchId !== null) delivery.giveUp()
      }
      if (member.connection === null && member.keepUntil <= now) this.removeUser(accountId)
    }
  }

  #stateOf(accountId: string): UserState {
    const known = this.#users.get(accountId)
    if (known) return known
    const keepUntil = this.#clock.now() + KEEP_MS
    const member: UserState = { connection: null, visit: null, sessionId: null, waiting: [], waitingSize: 0, keepUntil }
    this.#users.set(accountId, member)
    return member
  }

  #delivery<E extends HubEvent>(event: E, args: HubEventArguments<E>, session: string | null): Delivery {
    const since = this.#clock.now()
    const delivery = new Delivery(eventText(event, args), session, since)
    delivery.whenSettled((delivered) => {
      if (delivered) this.#metrics.relayed(event, this.#clock.now() - since)
    })
    return delivery
  }

  #isBehind({ connection, waiting, waitingSize }: UserState): boolean {
    const { bytes, messages } = connection?.backlog ?? { bytes: 0, messages: 0 }
    return waitingSize + bytes > RELAYED_BYTES_MAX || waiting.length + messages > RELAYED_MESSAGES_MAX
  }

  #pending({ connection, waiting }: UserState): Delivery[] {
    const undelivered = connection?.undelivered() ?? []
    return waiting.length === 0 ? undelivered : [...undelivered, ...waiting]
  }

  #pass(member: UserState, delivery: Delivery): void {
    if (member.waiting.length === 0 && member.connection?.accepts) {
      member.connection.deliver(delivery)
      return
    }
    if (member.waitingSize > WAITING_LIMIT) {
      delivery.giveUp()
      return
    }
    member.waiting.push(delivery)
    member.waitingSize += delivery.text.length
  }

  /** Takes back what the current connection did not deliver. */
  #collect(member: UserState): void {
    member.waiting = this.#pending(member).filter((delivery) => delivery.isUnderWay)
    member.waitingSize = member.waiting.reduce((sum, { text }) => sum + text.length, 0)
  }

  #giveUp(member: UserState): void {
    for (const delivery of this.#pending(member)) delivery.giveUp()
    member.waiting = []
    member.waitingSize = 0
  }
}
