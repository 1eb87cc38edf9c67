import { connect, type Socket } from 'node:net'
import { REQUESTED_WITH } from '#protocol/constants.ts'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  requests: number
  /** Bytes of each body that are sent; one more is announced. */
  bytes: number
  /** The requests that are still open are given up after this. */
  holdMs: number
  /** Each request names an address of its own, as a proxy passes it on. */
  addresses?: boolean
}

/** Posts batches of log entries without a login and keeps the last byte of each. Counts how each request ended. */
export async function holdUnfinishedJson(origin: string, options: Options): Promise<Outcomes> {
  const { requests, bytes, holdMs, addresses = false } = options
  const { port } = new URL(origin)
  const counter = new OutcomeCounter()
  const body = '['.padEnd(bytes, ' ')
  const open = new Map<Socket, string>()
  const closed: Promise<void>[] = []
  for (let index = 0; index < requests; index += 1) {
    const socket = connect(Number(port), '127.0.0.1')
    open.set(socket, '')
    socket.setEncoding('latin1').on('data', (part) => open.set(socket, (open.get(socket) ?? '') + part))
    // A close always follows.
    socket.on('error', () => undefined)
    closed.push(
      new Promise((resolve) =>
        socket.once('close', () => {
          const [, status] = /^HTTP\/1\.1 (\d+)/.exec(open.get(socket) ?? '') ?? []
          counter.add(status ?? (holding ? 'cut off' : 'held to the end'))
          resolve()
        }),
      ),
    )
    const head = [
      'POST /api/logs/add HTTP/1.1',
      `Host: localhost:${port}`,
      `Origin: ${origin}`,
      `${REQUESTED_WITH.name}: ${REQUESTED_WITH.value}`,
      'Content-Type: application/json',
      `Content-Length: ${bytes + 1}`,
      ...(addresses ? [`X-Forwarded-For: 10.55.${index >> 8}.${index & 255}`] : []),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  let holding = true
  let giveUp: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    giveUp = setTimeout(resolve, holdMs)
  })
  await Promise.race([over, Promise.all(closed)])
  clearTimeout(giveUp)
  holding = false
  for (const socket of open.keys()) socket.destroy()
  await Promise.all(closed)
  return counter.counts
}
