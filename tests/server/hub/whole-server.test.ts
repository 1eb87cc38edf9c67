import { expect, onTestFinished, test } from 'vitest'
import { officialClientWith } from '../../support/hub/hub-test.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'

async function person(server: TestServer, email: string, nickName = 'Ada') {
  const visitor = await signIn(server, { email, nickName })
  const address = `${server.origin}/chathub?userSessionId=${visitor.sessionId}&email=${encodeURIComponent(email)}`
  const client = officialClientWith(address, async () => {
    const { hubConnectionAccessToken } = await visitor.request('readHubToken', { userSessionId: visitor.sessionId })
    return hubConnectionAccessToken
  })
  const next = (event: string) =>
    new Promise<unknown[]>((resolve) => client.on(event, (...args: unknown[]) => resolve(args)))
  const matched = next('OnUserMatched')
  await client.start()
  await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  return { client, next, matched }
}

test('8: a page of an allowed origin may negotiate with its cookies, a page of another may not', async () => {
  const allowed = 'https://pages.waggle.test'
  const server = await startServer({ ALLOWED_ORIGINS: allowed })
  onTestFinished(server.stop)
  const fetchNegotiate = (method: string, origin: string) =>
    fetch(`${server.origin}/chathub/negotiate?negotiateVersion=1`, {
      method,
      headers: {
        origin,
        ...(method === 'OPTIONS' && {
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,x-requested-with,x-signalr-user-agent',
        }),
      },
    })
  const preflight = await fetchNegotiate('OPTIONS', allowed)
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-signalr-user-agent')
  for (const response of [preflight, await fetchNegotiate('POST', allowed)]) {
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  }
  for (const method of ['OPTIONS', 'POST'])
    expect((await fetchNegotiate(method, 'https://evil.test')).headers.get('access-control-allow-origin')).toBeNull()
})

test('two people are matched on the whole server, and their chat goes on after a restart', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const [ada, bob] = [await person(server, 'ada@example.org'), await person(server, 'bob@example.org')]
  const [, session, bobsId] = await ada.matched
  const [, sameSession, adasId] = await bob.matched
  expect(sameSession).toBe(session)

  const named = bob.next('OnPeerNickNameAndEmailIdReceived')
  await ada.client.invoke('HandleUserNickNameAndUserEmailIdToPeer', bobsId, 'x', 'x')
  expect(await named).toEqual([expect.any(String), expect.stringMatching(/^[\w-]{1,64}$/), expect.any(String)])

  const back = [ada, bob].map(({ client }) => new Promise((resolve) => client.onreconnected(resolve)))
  await server.restart()
  await Promise.all(back)
  expect(ada.client.connectionId).not.toBe(adasId)
  const received = bob.next('OnChatMessage')
  await ada.client.invoke('SendChatMessageToPeer', session, bobsId, 'still here', 'm-1')
  expect(await received).toEqual([session, 'still here', 'm-1'])
})

test('peers see no name in place of a nickname that moderators have refused since, and see all others', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const [ada, zorg] = [await person(server, 'ada@example.org'), await person(server, 'zorg@example.org', 'King Zorg')]
  const mia = await logIn(server, await addModerator(server.dataDir, 'mia'))
  await mia.requestConsole('refuseWord', { word: 'zorg' })
  const [, , zorgsId] = await ada.matched
  const [, , adasId] = await zorg.matched
  const seenBy = [ada, zorg].map(({ next }) => next('OnPeerNickNameAndEmailIdReceived'))
  await ada.client.invoke('HandleUserNickNameAndUserEmailIdToPeer', zorgsId, 'x', 'x')
  await zorg.client.invoke('HandleUserNickNameAndUserEmailIdToPeer', adasId, 'x', 'x')
  expect((await Promise.all(seenBy)).map(([nickName]) => nickName)).toEqual(['', 'Ada'])
})
