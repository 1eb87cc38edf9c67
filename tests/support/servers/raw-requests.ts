import { connect, type Socket } from 'node:net'
import { REQUESTED_WITH } from '#protocol/constants.ts'

/** A connection for bytes that no client library sends. This side does not close it by itself. */
export type RawConnection = {
  socket: Socket
  /** Returns the status of the response, or null before it arrives. */
  status(): number | null
  /** Resolves with the status, or with null if the connection ended without a response. */
  answered: Promise<number | null>
  /** Resolves when the server has ended its side. */
  ended: Promise<void>
}

export function openRaw(port: number, ...parts: (string | Buffer)[]): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let head = ''
  let found: number | null = null
  const answered = Promise.withResolvers<number | null>()
  const ended = Promise.withResolvers<void>()
  const over = () => {
    answered.resolve(found)
    ended.resolve()
  }
  socket.on('data', (data) => {
    if (found !== null) return
    head += data.toString('latin1')
    const [, digits] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
    if (digits === undefined) return
    found = Number(digits)
    answered.resolve(found)
  })
  socket.on('end', over)
  socket.on('close', over)
  // A server that cuts a connection resets it.
  socket.on('error', () => undefined)
  for (const part of parts) socket.write(part)
  return { socket, status: () => found, answered: answered.promise, ended: ended.promise }
}

/** Returns the head of a request, with the headers that a page of `origin` sends. */
export function headOf(method: string, path: string, origin: string, headers: Record<string, string | number>): string {
  const all = { host: new URL(origin).host, origin, [REQUESTED_WITH.name]: REQUESTED_WITH.value, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

export function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
