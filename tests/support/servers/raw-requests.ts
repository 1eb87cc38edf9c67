import { connect, type Socket } from 'node:net'
import { REQUESTED_WITH } from '#protocol/constants.ts'

/** A connection on which bytes are sent that no client library would send, and which this side never closes by itself. */
export type RawConnection = {
  socket: Socket
  /** The status of the answer, null while there is none. */
  status(): number | null
  /** Resolves with the status, or with null when the connection ended without an answer. */
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

/** The head of a request with a body, as the page of `origin` sends it. */
export function headOf(method: string, path: string, origin: string, headers: Record<string, string | number>): string {
  const all = { host: new URL(origin).host, origin, [REQUESTED_WITH.name]: REQUESTED_WITH.value, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

export function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
