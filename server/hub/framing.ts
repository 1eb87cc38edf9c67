import type { RawData } from 'ws'

const SEPARATOR_BYTE = 0x1e

/** Ends every message of the JSON hub protocol. */
export const RECORD_SEPARATOR = '\u001e'

export function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** Cuts what a socket delivers into messages: one message may span frames, one frame may hold many. */
export class MessageSplitter {
  readonly #limit: number
  #parts: Buffer[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The messages that this frame completes; null when one is larger than the limit. */
  push(frame: Buffer): string[] | null {
    const messages: string[] = []
    let start = 0
    for (let end = frame.indexOf(SEPARATOR_BYTE); end !== -1; end = frame.indexOf(SEPARATOR_BYTE, start)) {
      if (this.#size + end - start > this.#limit) return null
      messages.push(this.#complete(frame, start, end))
      start = end + 1
    }
    if (start < frame.length) {
      this.#parts.push(frame.subarray(start))
      this.#size += frame.length - start
    }
    return this.#size > this.#limit ? null : messages
  }

  #complete(frame: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return frame.toString('utf8', start, end)
    const whole = Buffer.concat([...this.#parts, frame.subarray(start, end)])
    this.#parts = []
    this.#size = 0
    return whole.toString('utf8')
  }
}
