import { connect, type Socket } from 'node:net'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  sockets: number
  /** A header line is sent this often on each socket. */
  everyMs: number
  /** The sockets that are still open are destroyed after this. */
  forMs: number
  /** The client's own address, where it is not the usual one. */
  localAddress?: string
}

/** Opens sockets that begin a request and never end its headers. Counts how each socket ended. */
export async function holdSlowHeaders(origin: string, options: Options): Promise<Outcomes> {
  const { hostname, port } = new URL(origin)
  const counter = new OutcomeCounter()
  const open = new Set<Socket>()
  const ended = Array.from({ length: options.sockets }, () => {
    const socket = connect({
      host: hostname === 'localhost' ? '127.0.0.1' : hostname,
      port: Number(port),
      ...(options.localAddress !== undefined && { localAddress: options.localAddress }),
    })
    open.add(socket)
    let answer = ''
    socket.setEncoding('latin1').on('data', (part) => {
      answer += part
    })
    // A close always follows.
    socket.on('error', () => undefined)
    socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n'))
    return new Promise<void>((resolve) =>
      socket.once('close', () => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]
        counter.add(status ?? (open.delete(socket) ? 'cut off' : 'held to the end'))
        resolve()
      }),
    )
  })
  const drip = setInterval(() => {
    for (const socket of open) if (socket.writable) socket.write('X-A: b\r\n')
  }, options.everyMs)
  await new Promise((resolve) => setTimeout(resolve, options.forMs))
  clearInterval(drip)
  for (const socket of open) {
    open.delete(socket)
    socket.destroy()
  }
  await Promise.all(ended)
  return counter.counts
}
