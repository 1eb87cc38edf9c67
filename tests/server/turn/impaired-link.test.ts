import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { startImpairedLink } from '../../../scripts/links/impaired-link.ts'
import { startImpairedRelay } from '../../../scripts/links/impaired-relay.ts'
import type { Link } from '../../../scripts/links/links.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { openTurnClient } from '../../support/servers/turn-client.ts'

const good: Link = { kbitPerSecond: 10_000, delayMs: 1, jitterMs: 0, loss: 0, burst: 1 }

type Received = { text: string; port: number }

async function bind(address: string, port = 0): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, address)
  await once(socket, 'listening')
  return socket
}

/** A socket that collects what it receives. */
async function openPeer(address: string) {
  const socket = await bind(address)
  onTestFinished(() => void socket.close())
  const received: Received[] = []
  socket.on('message', (packet, { port }: RemoteInfo) => received.push({ text: packet.toString(), port }))
  return {
    port: socket.address().port,
    received,
    texts: () => received.map(({ text }) => text),
    send: (text: string, port: number) => socket.send(text, port, '127.0.0.1'),
  }
}

/** Rejects while another socket has the port. */
async function expectFree(port: number): Promise<void> {
  const socket = await bind('127.0.0.1', port)
  socket.close()
}

test('each client has a way of its own to the target and back, and closing leaves no socket', async () => {
  const target = await openPeer('127.0.0.1')
  const link = await startImpairedLink(target.port, good, Math.random)
  onTestFinished(link.close)
  const ada = await openPeer('127.0.0.1')
  // The browser of a machine with a network sends from the address of its network.
  const bela = await openPeer('127.0.0.2')
  for (const [name, client] of Object.entries({ ada, bela }))
    for (const count of [1, 2, 3]) client.send(`${name} ${count}`, link.port)
  await expect.poll(() => target.texts().toSorted()).toEqual(['ada 1', 'ada 2', 'ada 3', 'bela 1', 'bela 2', 'bela 3'])

  const portsOf = (name: string) =>
    new Set(target.received.filter(({ text }) => text.startsWith(name)).map(({ port }) => port))
  const ports = [...portsOf('ada'), ...portsOf('bela')]
  expect(new Set(ports).size).toBe(2)
  expect(ports.length).toBe(2)

  for (const { text, port } of target.received) target.send(`to ${text}`, port)
  await expect.poll(ada.texts).toEqual(['to ada 1', 'to ada 2', 'to ada 3'])
  await expect.poll(bela.texts).toEqual(['to bela 1', 'to bela 2', 'to bela 3'])
  expect(new Set([...ada.received, ...bela.received].map(({ port }) => port))).toEqual(new Set([link.port]))

  await link.close()
  for (const port of [link.port, ...ports]) await expectFree(port)
})

test('a change applies to both directions', async () => {
  const target = await openPeer('127.0.0.1')
  let decided = 0
  const link = await startImpairedLink(target.port, good, () => {
    decided += 1
    return 0.5
  })
  onTestFinished(link.close)
  const ada = await openPeer('127.0.0.1')
  ada.send('before', link.port)
  await expect.poll(target.texts).toEqual(['before'])
  const [{ port } = { port: 0 }] = target.received

  link.change({ ...good, loss: 1 })
  const before = decided
  ada.send('lost', link.port)
  target.send('lost', port)
  await expect.poll(() => decided - before).toBe(2)
  link.change(good)
  ada.send('after', link.port)
  target.send('after', port)
  await expect.poll(target.texts).toEqual(['before', 'after'])
  await expect.poll(ada.texts).toEqual(['after'])
})

test('credentials of a server that is told of an impaired relay open an allocation over it once the network lets them', async () => {
  const phases = [
    { fromSecond: 0, link: { ...good, loss: 1 } },
    { fromSecond: 0.1, link: good },
  ]
  let decided = 0
  const countedRandom = () => {
    decided += 1
    return 0.5
  }
  const changes: Link[] = []
  const relay = await startImpairedRelay({ name: 'Mended', phases }, countedRandom, (link) => changes.push(link))
  onTestFinished(relay.stop)
  const server = await startServer(relay.env)
  onTestFinished(server.stop)
  const ada = await signIn(server, { email: 'ada@example.org' })
  const login = await ada.request('readTurn', undefined)
  const port = Number(/^turn:127\.0\.0\.1:(\d+)\?transport=udp$/.exec(login.turnUrl)?.[1])
  const client = await openTurnClient(port)
  onTestFinished(() => client.close())
  expect(await client.allocate(login)).toBe('ok')
  expect(await client.permit('127.0.0.1')).toBe('ok')
  expect(decided).toBeGreaterThan(0)
  expect(changes).toEqual([good])

  await relay.stop()
  await expectFree(port)
})
