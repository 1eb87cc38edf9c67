import { HUB_STATEFUL_BUFFER_BYTES } from '#protocol/constants.ts'
import type { Delivery } from './delivery.ts'

/** Bytes of memory of an unacknowledged message in addition to its text. */
const MESSAGE_BYTES = 200

type Unacknowledged = { text: string; bytes: number; delivery: Delivery | null }

/**
 * Messages that the client has not acknowledged; ids begin with 1. At most `HUB_STATEFUL_BUFFER_BYTES` of them are
 * sent; the rest waits for acknowledgements.
 */
export class ReplayBuffer {
  #messages: Unacknowledged[] = []
  /** The id of the first of `#messages`. */
  #firstId = 1
  /** Number of sent messages. */
  #sent = 0
  #sentBytes = 0
  #bytes = 0

  /** The first unacknowledged id, which a Sequence message carries. */
  get firstId(): number {
    return this.#firstId
  }

  /** Bytes of all unacknowledged messages, sent or not. */
  get bytes(): number {
    return this.#bytes
  }

  get heldBytes(): number {
    return this.#bytes + this.#messages.length * MESSAGE_BYTES
  }

  /** The last id that was sent; `firstId - 1` when all sent messages are acknowledged. */
  get lastSentId(): number {
    return this.#firstId + this.#sent - 1
  }

  get messages(): number {
    return this.#messages.length
  }

  add(text: string, delivery: Delivery | null): void {
    const bytes = Buffer.byteLength(text)
    this.#messages.push({ text, bytes, delivery })
    this.#bytes += bytes
  }

  /** Returns the messages that may be sent now, and counts them as sent. Empty when the window is full. */
  next(): string {
    let texts = ''
    for (let message = this.#messages[this.#sent]; message; message = this.#messages[this.#sent]) {
      if (this.#sent > 0 && this.#sentBytes + message.bytes > HUB_STATEFUL_BUFFER_BYTES) break
      this.#sent += 1
      this.#sentBytes += message.bytes
      texts += message.text
    }
    return texts
  }

  /** Returns all sent messages again, for a new socket. */
  replay(): string {
    let texts = ''
    for (const { text } of this.#messages.slice(0, this.#sent)) texts += text
    return texts
  }

  /** Removes the messages up to this id and settles their deliveries. Returns false for an id that was never sent. */
  acknowledge(id: number): boolean {
    const count = id - this.#firstId + 1
    if (!Number.isInteger(id) || id < 0 || count > this.#sent) return false
    if (count <= 0) return true
    const acknowledged = this.#messages.splice(0, count)
    this.#firstId += count
    this.#sent -= count
    for (const { bytes, delivery } of acknowledged) {
      this.#bytes -= bytes
      this.#sentBytes -= bytes
      delivery?.succeed()
    }
    return true
  }

  deliveries(): Delivery[] {
    return this.#messages.flatMap(({ delivery }) => (delivery ? [delivery] : []))
  }
}
