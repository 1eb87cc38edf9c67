import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { Delivery } from '../hub/delivery.ts'
import { type CloseReason, event } from '../hub/messages.ts'
import type { InvokingConnection } from '../hub/user-connection.ts'
import type { Origin } from '../matching/rules/trust.ts'
import type { ConnectionFacts, ServerMessage } from './server-messages.ts'

/** Characters on their way to the connection above which deliveries are given up. */
const UNDELIVERED_LIMIT = 1024 * 1024

/** Stands, on a user's home server, for a connection whose socket is on another server. */
export class RemoteConnection implements InvokingConnection {
  readonly id: string
  readonly accountId: string
  readonly sessionId: string
  readonly visit: string | null
  readonly region: string
  network: string
  readonly origin: Origin | null
  /** The server that has the socket. */
  readonly at: string
  readonly #facts: ConnectionFacts
  readonly #sendMessage: (message: ServerMessage) => void
  readonly #undelivered = new Map<number, Delivery>()
  #undeliveredSize = 0
  #lastNumber = 0
  #open: boolean
  #over = false
  #muted = false

  constructor(facts: ConnectionFacts, at: string, sendMessage: (message: ServerMessage) => void) {
    this.id = facts.id
    this.accountId = facts.accountId
    this.sessionId = facts.sessionId
    this.visit = facts.visit
    this.region = facts.region
    this.network = facts.network
    this.origin = facts.origin
    this.at = at
    this.#facts = facts
    this.#open = facts.open
    this.#sendMessage = sendMessage
  }

  get open(): boolean {
    return this.#open && !this.#over
  }

  get accepts(): boolean {
    return !this.#over && (this.#facts.isStateful || this.#open)
  }

  get facts(): ConnectionFacts {
    return { ...this.#facts, network: this.network, open: this.open }
  }

  send<E extends HubEvent>(target: E, args: HubEventArguments<E>): void {
    this.#write({ t: 'event', id: this.id, n: null, text: event(target, args) })
  }

  deliver(delivery: Delivery): void {
    if (this.#undeliveredSize > UNDELIVERED_LIMIT) {
      delivery.giveUp()
      return
    }
    this.addUndelivered(this.#lastNumber + 1, delivery)
    this.#write({ t: 'event', id: this.id, n: this.#lastNumber, text: delivery.text })
  }

  /** Adds a delivery that the connection's server already has under number `n`. */
  addUndelivered(n: number, delivery: Delivery): void {
    this.#lastNumber = Math.max(this.#lastNumber, n)
    this.#undelivered.set(n, delivery)
    this.#undeliveredSize += delivery.text.length
  }

  /** The connection's server reports what became of delivery `n`. */
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

  /** Returns the undelivered deliveries with their numbers. */
  numberedUndelivered(): [number, Delivery][] {
    return [...this.#undelivered]
  }

  complete(invocationId: string, error?: string): void {
    this.#write({ t: 'answer', id: this.id, n: Number(invocationId), error: error ?? null })
  }

  /** Does nothing: the connection's own server applies the rate limits. */
  countRateRefusal(): void {}

  close(reason: CloseReason): void {
    this.#write({ t: 'close', id: this.id, reason })
  }

  setOpen(open: boolean): void {
    this.#open = open
  }

  markOver(): void {
    this.#over = true
  }

  /** Sends nothing to the connection from now on: the user has another home server. */
  mute(): void {
    this.#muted = true
  }

  #write(message: ServerMessage): void {
    if (!this.#muted && !this.#over) this.#sendMessage(message)
  }
}
