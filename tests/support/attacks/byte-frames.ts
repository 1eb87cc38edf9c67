import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  /** A hub token for each account. */
  tokens: readonly string[]
  socketsPerAccount: number
  /** One frame whose payload is sent one byte per packet, or one WebSocket message of fragments of one byte. */
  kind: 'packets' | 'fragments'
  bytes: number
  /** Time for which the sockets stay open after everything was sent. */
  holdMs: number
}

const UPGRADE_END = '\r\n\r\n'

async function upgraded(origin: string, token: string): Promise<{ socket: Socket; status: number }> {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  const key = randomBytes(16).toString('base64')
  const head = [
    'GET /chathub HTTP/1.1',
    `Host: localhost:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
    `Authorization: Bearer ${token}`,
  ]
  socket.write(head.join('\r\n') + UPGRADE_END)
  let response = ''
  while (!response.includes(UPGRADE_END)) {
    const [part] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])])
    if (part === null) break
    response += String(part)
  }
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0) }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Sends incomplete hub messages in pieces of one byte. Counts how each socket ended. */
export async function sendByteByByte(origin: string, options: Options): Promise<Outcomes> {
  const { tokens, socketsPerAccount, kind, bytes, holdMs } = options
  const counter = new OutcomeCounter()
  const held: Socket[] = []
  for (const token of tokens)
    for (let index = 0; index < socketsPerAccount; index += 1) {
      const { socket, status } = await upgraded(origin, token)
      if (status === 101) held.push(socket)
      else {
        counter.add(status)
        socket.destroy()
      }
    }
  const closed = held.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  const cut = new Set<Socket>()
  for (const socket of held) {
    socket.resume()
    socket.once('close', () => cut.add(socket))
  }
  const send = (data: Buffer) => {
    for (const socket of held) if (socket.writable) socket.write(data)
  }
  // Masked text frames with a mask of zero, which leaves the payload unchanged.
  if (kind === 'packets') send(Buffer.from([0x81, 0xfe, bytes >> 8, bytes & 255, 0, 0, 0, 0]))
  for (let sent = 0; sent < bytes - 1; sent += 1) {
    if (kind === 'packets') send(Buffer.from('x'))
    else send(Buffer.from([sent === 0 ? 0x01 : 0x00, 0x81, 0, 0, 0, 0, 0x78]))
    await nextTurn()
  }
  await Promise.race([Promise.all(closed), new Promise((resolve) => setTimeout(resolve, holdMs))])
  for (const socket of held) {
    counter.add(cut.has(socket) ? 'cut off' : 'held to the end')
    socket.destroy()
  }
  return counter.counts
}
