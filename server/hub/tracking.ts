import { MINUTE_MS } from '#protocol/durations.ts'
import { ack, type Incoming, sequence } from './messages.ts'
import { ReplayBuffer } from './replay-buffer.ts'

/** Unacknowledged UTF-16 units at which an Ack is sent at once; a stateful client stops sending at 100,000. */
const ACK_UNITS = 25_000

/**
 * Time within which the client must acknowledge everything that was sent. The official client acknowledges a second
 * after the first message; in a hidden tab, whose timers the browser slows down, once a minute. At 7 kbit/s a full
 * window of 100,000 bytes arrives in this time.
 */
export const ACKNOWLEDGE_WITHIN_MS = 2 * MINUTE_MS

/** What protocol version 2 adds to a connection: client and server keep their messages until they are acknowledged. */
export class Tracking {
  readonly outgoing = new ReplayBuffer()
  /** The client creates its buffer after the handshake and then pings: no tracked message may be sent before this ping. */
  #isClientReady = false
  #unackedUnits = 0
  /** The id of the client's next message; a message that it sends again has the same id. */
  #nextId = 1
  #latestId = 0
  #handledId = 0
  /** True after a new socket until the client's Sequence message: messages before it have no known id. */
  #awaitsSequence = false
  /** The last message that had been sent at the time `#since`. While it is not acknowledged, `#since` stays. */
  #awaited = 0
  #since = 0

  /** Returns since when a sent message is not acknowledged, as accurate as the calls are frequent; `now` if none waits. */
  awaitsSince(now: number): number {
    const { firstId, lastSentId } = this.outgoing
    if (firstId > this.#awaited) {
      this.#awaited = lastSentId
      this.#since = now
    }
    return this.#since
  }

  /** Counts the message. Returns what the connection must do with it; the connection closes on an invalid message. */
  take(message: Incoming, units: number): 'handle' | 'ignore' | 'invalid' {
    switch (message.kind) {
      case 'sequence':
        return this.#resumeAt(message.id) ? 'ignore' : 'invalid'
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
        if (this.#awaitsSequence) return 'ignore'
        this.#unackedUnits += units
        return this.#takeNext() ? 'handle' : 'ignore'
    }
  }

  /** An Ack is due before the next round. */
  get owesAckNow(): boolean {
    return this.#unackedUnits >= ACK_UNITS
  }

  /** An Ack is due in the next round. */
  get owesAck(): boolean {
    return this.#unackedUnits > 0
  }

  /** An Ack is due, and an Ack that is sent now leaves none due. */
  get mayAckNow(): boolean {
    return this.owesAck && this.#handledId === this.#latestId
  }

  markHandled(): void {
    this.#handledId += 1
  }

  /** Returns the Ack for every message that has been handled. */
  acknowledgement(): string {
    this.#unackedUnits = 0
    return ack(this.#handledId)
  }

  /** Returns the messages that may be sent now. */
  next(): string {
    return this.#isClientReady ? this.outgoing.next() : ''
  }

  /** Returns what a new socket sends first, in place of a handshake: Sequence and the unacknowledged messages. */
  startReplay(): string {
    this.#isClientReady = true
    this.#awaitsSequence = true
    return sequence(this.outgoing.firstId) + this.outgoing.replay() + this.outgoing.next()
  }

  /** Returns false for an id that the client cannot have reached. */
  #resumeAt(id: number): boolean {
    if (!Number.isInteger(id) || id < 1 || id > this.#latestId + 1) return false
    this.#awaitsSequence = false
    this.#nextId = id
    return true
  }

  #takeNext(): boolean {
    const id = this.#nextId
    this.#nextId += 1
    if (id <= this.#latestId) return false
    this.#latestId = id
    return true
  }
}
