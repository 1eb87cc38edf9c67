import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { InvokingConnection } from '../hub/connection.ts'
import type { Delivery } from '../hub/delivery.ts'
import { type CloseReason, event } from '../hub/messages.ts'
import type { ConnectionFacts, ServerMessage } from './server-messages.ts'

/** Of this much that has not arrived no more is sent; it is given up instead. */
const UNDELIVERED_LIMIT = 1024 * 1024

/** A connection at another server of a user who is at home here. */
export class RemoteConnection implements InvokingConnection {
  readonly id: string
  readonly accountId: string
  readonly sessionId: string
  readonly visit: string | null
  readonly region: string
  readonly order: number
  /** The server that has the socket. */
  readonly at: string
  readonly #isStateful: boolean
  readonly #send: (mail: ServerMessage) => void
  readonly #undelivered = new Map<number, Delivery>()
  #undeliveredSize = 0
  #lastNumber = 0
  #open: boolean
  #over = false
  #silent = false

  constructor(facts: ConnectionFacts, at: string, send: (mail: ServerMessage) => void) {
    this.id = facts.id
    this.accountId = facts.accountId
    this.sessionId = facts.sessionId
    this.visit = facts.visit
    this.region = facts.region
    this.order = facts.order
    this.at = at
    this.#isStateful = facts.isStateful
    this.#open = facts.open
    this.#send = send
  }

  get open(): boolean {
    return this.#open && !this.#over
  }

  get accepts(): boolean {
    return !this.#over && (this.#isStateful || this.#open)
  }

  get facts(): ConnectionFacts {
    const { id, accountId, sessionId, visit, region, order } = this
    return { id, accountId, sessionId, visit, region, order, isStateful: this.#isStateful, open: this.open }
  }

  send<E extends HubEvent>(target: E, args: HubEventArguments<E>): void {
    this.#write({ t: 'event', id: this.id, n: null, text: event(target, args) })
  }

  deliver(delivery: Delivery): void {
    if (this.#undeliveredSize > UNDELIVERED_LIMIT) {
      delivery.giveUp()
      return
    }
    this.expect(this.#lastNumber + 1, delivery)
    this.#write({ t: 'event', id: this.id, n: this.#lastNumber, text: delivery.text })
  }

  /** The connection has it under this number already. */
  expect(n: number, delivery: Delivery): void {
    this.#lastNumber = Math.max(this.#lastNumber, n)
    this.#undelivered.set(n, delivery)
    this.#undeliveredSize += delivery.text.length
  }

  settled(n: number, isDelivered: boolean): void {
    const delivery = this.#undelivered.get(n)
    if (!delivery) return
    this.#undelivered.delete(n)
    this.#undeliveredSize -= delivery.text.length
    if (isDelivered) delivery.succeed()
    else delivery.giveUp()
  }

  undelivered(): Delivery[] {
    return [...this.#undelivered.values()]
  }

  get backlog(): { bytes: number; messages: number } {
    return { bytes: this.#undeliveredSize, messages: this.#undelivered.size }
  }

  /** What has not arrived, under its numbers. */
  expected(): [number, Delivery][] {
    return [...this.#undelivered]
  }

  complete(invocationId: string, error?: string): void {
    this.#write({ t: 'answer', id: this.id, n: Number(invocationId), error: error ?? null })
  }

  /** Its own server sees to the limits. */
  countRateRefusal(): void {}

  close(reason: CloseReason): void {
    this.#write({ t: 'close', id: this.id, reason })
  }

  socketIs(open: boolean): void {
    this.#open = open
  }

  markOver(): void {
    this.#over = true
  }

  /** The user is at home elsewhere: nothing is said to the connection from here any more. */
  fallSilent(): void {
    this.#silent = true
  }

  #write(mail: ServerMessage): void {
    if (!this.#silent && !this.#over) this.#send(mail)
  }
}
