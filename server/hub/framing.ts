import type { RawData } from 'ws'

const SEPARATOR_BYTE = 0x1e

/** The last character of every message of the JSON hub protocol. */
export const RECORD_SEPARATOR = '\u001e'

export function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** Splits the frames of a socket into messages: a message may span frames, and a frame may hold many messages. */
export class MessageSplitter {
  readonly #limit: number
  /** The beginning of an incomplete message: a copy, because a slice would keep the whole read buffer in memory. */
  #rest: Buffer | null = null

  constructor(limit: number) {
    this.#limit = limit
  }

  /** True while a message is incomplete. */
  get isHalfRead(): boolean {
    return this.#rest !== null
  }

  /** Returns the messages that this frame completes; null when a message is larger than the limit. */
  push(frame: Buffer): string[] | null {
    const messages: string[] = []
    let start = 0
    for (let end = frame.indexOf(SEPARATOR_BYTE); end !== -1; end = frame.indexOf(SEPARATOR_BYTE, start)) {
      if ((this.#rest?.length ?? 0) + end - start > this.#limit) return null
      messages.push(this.#complete(frame, start, end))
      start = end + 1
    }
    const left = frame.subarray(start)
    if ((this.#rest?.length ?? 0) + left.length > this.#limit) return null
    if (left.length > 0) this.#rest = Buffer.concat(this.#rest ? [this.#rest, left] : [left])
    return messages
  }

  #complete(frame: Buffer, start: number, end: number): string {
    if (!this.#rest) return frame.toString('utf8', start, end)
    const whole = Buffer.concat([this.#rest, frame.subarray(start, end)])
    this.#rest = null
    return whole.toString('utf8')
  }
}
