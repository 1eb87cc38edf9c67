import { connect, type Socket } from 'node:net'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  sockets: number
  /** Interval at which each socket sends a header line. */
  everyMs: number
  /** Time after which open sockets are destroyed. */
  forMs: number
  /** Local address of the sockets; the default of the system without it. */
  localAddress?: string
}

/** Opens sockets that begin a request and never finish its headers. Counts how each socket ended. */
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
    let response = ''
    socket.setEncoding('latin1').on('data', (part) => {
      response += part
    })
    // "close" always follows.
    socket.on('error', () => undefined)
    socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n'))
    return new Promise<void>((resolve) =>
      socket.once('close', () => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(response)?.[1]
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
