import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { officialClientWith } from '../../support/hub/hub-test.ts'
import { signIn } from '../../support/servers/server.ts'
import { startServerProcess } from '../../support/servers/server-process.ts'

const HANDSHAKE = '{"protocol":"json","version":1}\u001e'

async function person(origin: string, email: string) {
  const visitor = await signIn({ origin }, { email })
  const token = async () => {
    const { hubConnectionAccessToken } = await visitor.request('readHubToken', { userSessionId: visitor.sessionId })
    return hubConnectionAccessToken
  }
  const client = officialClientWith(`${origin}/chathub?useStatefulReconnect=true`, token)
  const matched = new Promise<string[]>((resolve) => client.on('OnUserMatched', (...args: string[]) => resolve(args)))
  const toldToReconnect = new Promise((resolve) => client.onreconnecting(resolve))
  return { client, token, matched, toldToReconnect }
}

/** A client that hangs: it is connected, but does not answer the end of its connection. */
async function hang(origin: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/chathub?access_token=${token}`)
  await once(socket, 'open')
  socket.send(HANDSHAKE)
  await once(socket, 'message')
  socket.pause()
  return socket
}

test('on SIGTERM the server is not ready, makes all clients reconnect and ends in time; acknowledged messages have been delivered', async () => {
  const server = await startServerProcess()
  const people = [await person(server.url, 'ada@example.org'), await person(server.url, 'bob@example.org')] as const
  const [ada, bob] = people
  for (const { client } of people) {
    await client.start()
    await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  }
  const [[, session], [, , adasId]] = await Promise.all([ada.matched, bob.matched])
  const eve = await person(server.url, 'eve@example.org')
  const hanging = await hang(server.url, await eve.token())

  const received = new Set<string>()
  const acknowledged = new Set<string>()
  let refused = 0
  let firstAcknowledged: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    firstAcknowledged = resolve
  })
  let sent = 0
  const sendChat = () => {
    const id = `m-${sent++}`
    bob.client.invoke('SendChatMessageToPeer', session, adasId, 'hi', id).then(
      () => {
        acknowledged.add(id)
        firstAcknowledged()
      },
      () => {
        refused += 1
      },
    )
  }
  ada.client.on('OnChatMessage', (_session: string, _text: string, id: string) => {
    received.add(id)
    if (sent < 90) sendChat()
  })
  sendChat()
  await first
  sendChat()

  const stopped = server.stop()
  let status = 200
  while (status === 200) status = (await fetch(`${server.url}/readyz`)).status
  expect(status).toBe(503)
  await Promise.all([ada.toldToReconnect, bob.toldToReconnect])
  expect(await stopped).toBe(0)
  expect(acknowledged.size).toBeGreaterThan(0)
  expect(acknowledged.size + refused).toBe(sent)
  expect([...acknowledged].filter((id) => !received.has(id))).toEqual([])
  hanging.terminate()
})
