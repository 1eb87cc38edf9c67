import { IncomingSequence } from './incoming-sequence.ts'
import { ack, type Incoming, sequence } from './messages.ts'
import { ReplayBuffer } from './replay-buffer.ts'

/** A stateful client stops at 100,000 unacknowledged units, so long before that they are acknowledged out of turn. */
const ACK_UNITS = 25_000

/** What version 2 of the protocol adds to a connection: both sides keep what the other has not acknowledged. */
export class Tracking {
  readonly outgoing = new ReplayBuffer()
  readonly #incoming = new IncomingSequence()
  /** A client makes its buffer after the handshake and then pings: nothing that counts may be sent before. */
  #started = false
  #owedUnits = 0

  /** Too much has come to wait for the next round of acknowledgements. */
  get owesMuch(): boolean {
    return this.#owedUnits >= ACK_UNITS
  }

  /** What to do with a message: handle it, nothing more, or end the connection. */
  take(message: Incoming, units: number): 'handle' | 'done' | 'impossible' {
    switch (message.kind) {
      case 'sequence':
        return this.#incoming.goOnAt(message.id) ? 'done' : 'impossible'
      case 'ack':
        return this.outgoing.acknowledge(message.id) ? 'done' : 'impossible'
      case 'ping':
        this.#started = true
        return 'done'
      case 'nothing':
        return 'done'
      case 'close':
        return 'handle'
      case 'counted':
      case 'invocation':
        if (this.#incoming.isWaiting) return 'done'
        this.#owedUnits += units
        return this.#incoming.take() ? 'handle' : 'done'
    }
  }

  get owes(): boolean {
    return this.#owedUnits > 0
  }

  markHandled(): void {
    this.#incoming.markHandled()
  }

  /** The Ack of all that has been handled. */
  acknowledgement(): string {
    this.#owedUnits = 0
    return ack(this.#incoming.handled)
  }

  /** What may be sent now. */
  next(): string {
    return this.#started ? this.outgoing.next() : ''
  }

  /** What a new socket begins with, in place of a handshake. Only a client that has its buffer comes back. */
  beginAnew(): string {
    this.#started = true
    this.#incoming.awaitSequence()
    return sequence(this.outgoing.firstId) + this.outgoing.again() + this.outgoing.next()
  }
}
