import { once } from 'node:events'
import { WebSocket } from 'ws'
import { negotiate } from '../support/hub/hub-client.ts'
import { tokenOf } from '../support/hub/hub-fakes.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'

const MEASURED = 5_000
const HELD = 10_000
const HOLD_MS = 60_000
const PING_MS = 10_000
const AT_ONCE = 50
const PING = '{"type":6}\u001e'

async function openBare(url: string, index: number): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/idle/${index}`)
  await once(socket, 'open')
  return socket
}

/** A stateful connection, as the product's pages have it. */
async function openHub(url: string, index: number): Promise<WebSocket> {
  const account = `idle${index}`
  const { body } = await negotiate(url, account, 'negotiateVersion=1&useStatefulReconnect=true')
  const address = `${url}?id=${body.connectionToken}&access_token=${tokenOf(account)}`
  const socket = new WebSocket(address.replace('http', 'ws'))
  await once(socket, 'open')
  socket.send('{"protocol":"json","version":2}\u001e')
  await once(socket, 'message')
  socket.send(PING)
  await once(socket, 'message')
  socket.send('{"type":8,"sequenceId":1}\u001e')
  return socket
}

async function openMany(count: number, open: (index: number) => Promise<WebSocket>): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let from = 0; from < count; from += AT_ONCE)
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => open(from + index)))))
  return sockets
}

/** Some connections come first, so that what the server makes once is not counted. */
async function bytesPerConnection(server: HubProcess, open: typeof openBare): Promise<number> {
  const first = await openMany(AT_ONCE, (index) => open(server.url, MEASURED + index))
  const before = await server.memory()
  const sockets = await openMany(MEASURED, (index) => open(server.url, index))
  const after = await server.memory()
  for (const socket of [...first, ...sockets]) socket.terminate()
  return (after - before) / MEASURED
}

/** Bytes of an idle connection at 5,000, against one of bare `ws`. */
export async function benchHubMemory(): Promise<{ ratio: number; hub: number; bare: number }> {
  const [bareServer, hubServer] = [await startHubProcess('bare'), await startHubProcess('hub')]
  try {
    const bare = await bytesPerConnection(bareServer, openBare)
    const hub = await bytesPerConnection(hubServer, openHub)
    return { ratio: hub / bare, hub, bare }
  } finally {
    bareServer.stop()
    hubServer.stop()
  }
}

/** How many of 10,000 idle connections are lost within a minute. */
export async function benchHubIdle(): Promise<{ held: number; dropped: number; seconds: number }> {
  const server = await startHubProcess('hub')
  let dropped = 0
  try {
    const sockets = await openMany(HELD, async (index) => {
      const socket = await openHub(server.url, index)
      socket.on('close', () => {
        dropped += 1
      })
      return socket
    })
    const pinging = setInterval(() => sockets.forEach((socket) => void socket.send(PING)), PING_MS)
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS))
    clearInterval(pinging)
    const lost = dropped
    for (const socket of sockets) socket.terminate()
    return { held: HELD, dropped: lost, seconds: HOLD_MS / 1_000 }
  } finally {
    server.stop()
  }
}
