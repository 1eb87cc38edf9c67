import type { Duplex } from 'node:stream'

/** How long a client has to close its side of a connection that the server has ended. */
export const CLOSE_GRACE_MS = 3_000

/**
 * Sends `last` and ends the socket. After `graceMs` the socket of a client that has not closed its side is destroyed, with the data that
 * the client has not read.
 */
export function endSocket(socket: Duplex, last: string, graceMs = CLOSE_GRACE_MS): void {
  const timer = setTimeout(() => socket.destroy(), graceMs)
  socket.once('close', () => clearTimeout(timer))
  // Reads on, since the client's end of the connection comes after the data that the client has sent.
  socket.resume()
  socket.end(last)
}
