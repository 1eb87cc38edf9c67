import type { Duplex } from 'node:stream'

/** How long a client has to close its side of a connection that the server has ended. */
export const CLOSE_GRACE_MS = 3_000

/**
 * Sends `last` and ends the socket. A client that does not close its side holds no socket: it is destroyed after `graceMs`, with whatever
 * the client has not read by then.
 */
export function endSocket(socket: Duplex, last: string, graceMs = CLOSE_GRACE_MS): void {
  const timer = setTimeout(() => socket.destroy(), graceMs)
  socket.once('close', () => clearTimeout(timer))
  // The client's own end is noticed only behind what it has sent.
  socket.resume()
  socket.end(last)
}
