import { MINUTE_MS } from '#protocol/durations.ts'
import { IncomingSequence } from './incoming-sequence.ts'
import { ack, type Incoming, sequence } from './messages.ts'
import { ReplayBuffer } from './replay-buffer.ts'

/** A stateful client stops sending at 100,000 unacknowledged UTF-16 units, so an Ack is sent at once long before that. */
const ACK_UNITS = 25_000

/**
 * Time within which everything that was sent must be acknowledged. The official client acknowledges a second after the first message, and
 * once a minute in a hidden tab whose timers the browser slows down; at 7 kbit/s a full window of 100,000 bytes arrives in this time.
 */
export const ACKNOWLEDGE_WITHIN_MS = 2 * MINUTE_MS

/** What protocol version 2 adds to a connection: both sides keep the messages that the other has not acknowledged. */
export class Tracking {
  readonly outgoing = new ReplayBuffer()
  readonly #incoming = new IncomingSequence()
  /** The client creates its buffer after the handshake and then pings: no tracked message may be sent before. */
  #isClientReady = false
  #unackedUnits = 0
  /** The last message that had been sent at the time `#since`. While it is not acknowledged, `#since` stays. */
  #awaited = 0
  #since = 0

  /**
   * Called about once a second. Returns the time of a call by which a message had been sent that the client has not acknowledged until now;
   * returns `now` when everything that had been sent by then is acknowledged.
   */
  awaitsSince(now: number): number {
    const { firstId, lastSentId } = this.outgoing
    if (firstId > this.#awaited) {
      this.#awaited = lastSentId
      this.#since = now
    }
    return this.#since
  }

  /** An Ack is due at once, before the next round. */
  get owesAckNow(): boolean {
    return this.#unackedUnits >= ACK_UNITS
  }

  /** Updates both sequences. Returns what the connection must do with the message: handle it, nothing, or end. */
  take(message: Incoming, units: number): 'handle' | 'ignore' | 'invalid' {
    switch (message.kind) {
      case 'sequence':
        return this.#incoming.resumeAt(message.id) ? 'ignore' : 'invalid'
      case 'ack':
        return this.outgoing.acknowledge(message.id) ? 'ignore' : 'invalid'
      case 'ping':
        this.#isClientReady = true
        return 'ignore'
      case 'nothing':
        return 'ignore'
      case 'close':
        return 'handle'
      case 'counted':
      case 'invocation':
        if (this.#incoming.isWaiting) return 'ignore'
        this.#unackedUnits += units
        return this.#incoming.take() ? 'handle' : 'ignore'
    }
  }

  /** An Ack is due in the next round, and one that is sent now leaves none due. */
  get mayAckNow(): boolean {
    return this.#unackedUnits > 0 && this.#incoming.isHandled
  }

  /** An Ack is due in the next round. */
  get owesAck(): boolean {
    return this.#unackedUnits > 0
  }

  markHandled(): void {
    this.#incoming.markHandled()
  }

  /** Returns the Ack for every message that has been handled. */
  acknowledgement(): string {
    this.#unackedUnits = 0
    return ack(this.#incoming.handled)
  }

  /** Returns the messages that may be sent now. */
  next(): string {
    return this.#isClientReady ? this.outgoing.next() : ''
  }

  /** Returns what a new socket sends first, in place of a handshake: Sequence and the unacknowledged messages. */
  startReplay(): string {
    this.#isClientReady = true
    this.#incoming.awaitSequence()
    return sequence(this.outgoing.firstId) + this.outgoing.replay() + this.outgoing.next()
  }
}
