import type { IncomingMessage } from 'node:http'
import type { Clock } from '../rules/clock.ts'

/** How long, and how much, the rest of a body is read and thrown away after its request was answered: an honest sender gets to read the answer. */
const DISCARD_MS = 5_000
const DISCARD_BYTES = 6 * 1024 * 1024

/** A body of so many bytes is always read: ending a connection with unread bytes costs more. */
const SMALL_BYTES = 1024 * 1024
/** Larger bodies that are read like this at once. Reading hundreds of megabytes that nobody needs would keep everybody else waiting. */
const DISCARDED_AT_ONCE = 8
/** How long the other senders have to read the answer. What they send is not read. */
const UNREAD_MS = 1_000

/** Takes what is left of a request body whose request was answered. */
export function createDiscard(clock: Clock): (raw: IncomingMessage) => void {
  let discarding = 0

  return (raw) => {
    if (raw.readableEnded || raw.destroyed) return
    const { socket } = raw
    const announced = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    const isSmall = announced <= SMALL_BYTES
    const isRead = isSmall || discarding < DISCARDED_AT_ONCE
    const cancel = clock.after(isRead ? DISCARD_MS : UNREAD_MS, () => socket.destroy())
    raw.unpipe()
    if (!isRead) {
      raw.once('close', cancel)
      raw.pause()
      return
    }
    if (!isSmall) discarding += 1
    let isOver = false
    function over(): void {
      cancel()
      if (isOver || isSmall) return
      isOver = true
      discarding -= 1
    }
    raw.once('end', over)
    raw.once('close', over)
    let discarded = 0
    raw.on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > DISCARD_BYTES) socket.destroy()
    })
    raw.resume()
  }
}
