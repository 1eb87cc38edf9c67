import { HUB_STATEFUL_BUFFER_BYTES } from '#protocol/constants.ts'
import type { Delivery } from './delivery.ts'

type Kept = { text: string; bytes: number; delivery: Delivery | null }

/**
 * The tracked messages of a stateful connection that its client has not acknowledged: HUB_STATEFUL_BUFFER_BYTES bytes of them on
 * the wire, the rest behind. The first message of a connection has the id 1.
 */
export class ReplayBuffer {
  #kept: Kept[] = []
  /** The id of the first in `#kept`. */
  #firstId = 1
  /** So many of `#kept` have been on the wire. */
  #sent = 0
  #sentBytes = 0
  #bytes = 0

  /** The first id that is not acknowledged: what a Sequence message carries. */
  get firstId(): number {
    return this.#firstId
  }

  /** Bytes of all that waits for its acknowledgement. */
  get bytes(): number {
    return this.#bytes
  }

  get messages(): number {
    return this.#kept.length
  }

  add(text: string, delivery: Delivery | null): void {
    const bytes = Buffer.byteLength(text)
    this.#kept.push({ text, bytes, delivery })
    this.#bytes += bytes
  }

  /** What may go on the wire now; empty when the window is full or nothing is left. */
  next(): string {
    let texts = ''
    for (let kept = this.#kept[this.#sent]; kept; kept = this.#kept[this.#sent]) {
      if (this.#sent > 0 && this.#sentBytes + kept.bytes > HUB_STATEFUL_BUFFER_BYTES) break
      this.#sent += 1
      this.#sentBytes += kept.bytes
      texts += kept.text
    }
    return texts
  }

  /** All that was on the wire and may have been lost there. */
  again(): string {
    let texts = ''
    for (const { text } of this.#kept.slice(0, this.#sent)) texts += text
    return texts
  }

  /** False for an id that was never sent. */
  acknowledge(id: number): boolean {
    const count = id - this.#firstId + 1
    if (!Number.isInteger(id) || id < 0 || count > this.#sent) return false
    if (count <= 0) return true
    const done = this.#kept.splice(0, count)
    this.#firstId += count
    this.#sent -= count
    for (const { bytes, delivery } of done) {
      this.#bytes -= bytes
      this.#sentBytes -= bytes
      delivery?.succeed()
    }
    return true
  }

  /** The events in it, in their order; the buffer stays as it is. */
  deliveries(): Delivery[] {
    return this.#kept.flatMap(({ delivery }) => (delivery ? [delivery] : []))
  }
}
