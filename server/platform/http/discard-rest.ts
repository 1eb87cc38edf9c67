import type { IncomingMessage } from 'node:http'
import type { Clock } from '../rules/clock.ts'

/** Limits of reading and dropping the rest of a body after the response; an honest sender then reads the response. */
const DISCARD_MS = 5_000
const DISCARD_BYTES = 6 * 1024 * 1024

/** A body with at most this announced size is always read: ending a connection with unread bytes costs more. */
const SMALL_BYTES = 1024 * 1024
/** Larger bodies that are read and dropped at the same time; hundreds of megabytes would delay all other requests. */
const DISCARDED_AT_ONCE = 8
/** Time that senders above `DISCARDED_AT_ONCE` have to read the response. Their bodies are not read. */
const UNREAD_MS = 1_000

/** Returns a function that drops the rest of a request's body after the response. */
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
