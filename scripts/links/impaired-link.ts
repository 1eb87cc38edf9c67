import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Link } from './links.ts'
import { createPipe, linkClock, type Pipe } from './pipe.ts'

type Client = { far: Socket; up: Pipe }

/**
 * Forwards UDP between clients on this machine and the port `target` on loopback. Each client address has a link of its own in each
 * direction, with its own rate, queue, delay and loss, and keeps its socket to the target until `close`. Packets are never reordered.
 * `random` returns numbers from 0 to 1.
 */
export async function startImpairedLink(target: number, first: Link, random: () => number) {
  let link = first
  const near = createSocket('udp4')
  const clients = new Map<string, Client>()
  const pipes: Pipe[] = []

  function open(deliver: (packet: Buffer) => void): Pipe {
    const pipe = createPipe(() => link, deliver, random, linkClock)
    pipes.push(pipe)
    return pipe
  }

  /** A browser sends to loopback from the address of any network interface, so the address belongs to the client as the port does. */
  function connect(address: string, port: number): Client {
    const far = createSocket('udp4')
    const down = open((packet) => near.send(packet, port, address))
    far.on('message', down.take)
    return { far, up: open((packet) => far.send(packet, target, '127.0.0.1')) }
  }

  async function closeAll(): Promise<void> {
    for (const pipe of pipes) pipe.close()
    const sockets = [near, ...[...clients.values()].map(({ far }) => far)]
    const closed = sockets.map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket.close()
    await Promise.all(closed)
  }

  near.on('message', (packet, { address, port }) => {
    const name = `${address}:${port}`
    const client = clients.get(name) ?? connect(address, port)
    clients.set(name, client)
    client.up.take(packet)
  })
  near.bind(0, '127.0.0.1')
  await once(near, 'listening')

  let closing: Promise<void> | undefined
  return {
    /** The UDP port on loopback that forwards to the target. */
    port: near.address().port,
    /** Changes both directions of every client. */
    change(next: Link): void {
      link = next
    },
    /** May be called more than once. */
    close(): Promise<void> {
      closing ??= closeAll()
      return closing
    },
  }
}
