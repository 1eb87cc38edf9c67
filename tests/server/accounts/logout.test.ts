import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, hubPerson } from '../../support/hub/hub-person.ts'
import { signIn, startServer, type TestServer } from '../../support/servers/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('a logout ends the call, the socket and every token of this login, and nothing else', async () => {
  const ada = hubPerson(server, await signIn(server, { email: 'ada@example.org' }))
  const bob = hubPerson(server, await signIn(server, { email: 'bob@example.org' }))
  const elsewhere = await signIn(server, { email: 'ada@example.org' })
  const { session } = await call(ada, bob)
  const kept = new Map(ada.visitor.cookies)
  const { hubConnectionAccessToken: token } = await ada.visitor.request('readHubToken', {
    userSessionId: ada.visitor.sessionId,
  })

  const over = bob.next('SessionTerminated')
  await ada.visitor.request('logout', undefined)
  expect(await ada.ended).toContain('login-required')
  expect(await over).toEqual([session])

  for (const [name, value] of kept) ada.visitor.cookies.set(name, value)
  expect((await ada.visitor.send('validateAccessToken', undefined)).status).toBe(401)
  expect((await ada.visitor.send('refreshAccessToken', undefined)).status).toBe(401)
  const negotiated = await fetch(`${server.origin}/chathub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(negotiated.status).toBe(401)
  expect((await elsewhere.send('validateAccessToken', undefined)).status).toBe(200)
})

test('a login in another browser is left alone by a logout, with its call', async () => {
  const ada = await signIn(server, { email: 'ada@example.org' })
  const elsewhere = hubPerson(server, await signIn(server, { email: 'ada@example.org' }))
  const bob = hubPerson(server, await signIn(server, { email: 'bob2@example.org' }))
  const { session, caller, callee } = await call(elsewhere, bob)
  await ada.request('logout', undefined)
  await caller.client.invoke('SendChatMessageToPeer', session, callee.client.connectionId, 'still here', 'm-1')
})

test('a logout ends the login also when its access token has run out', async () => {
  const ada = hubPerson(server, await signIn(server, { email: 'late@example.org' }))
  await ada.queue()
  const kept = new Map(ada.visitor.cookies)
  ada.visitor.cookies.delete('access')
  await ada.visitor.request('logout', undefined)
  expect(await ada.ended).toContain('login-required')
  for (const [name, value] of kept) ada.visitor.cookies.set(name, value)
  expect((await ada.visitor.send('validateAccessToken', undefined)).status).toBe(401)
})

test('a logout without a login, or a second one, changes nothing and succeeds', async () => {
  const ada = await signIn(server, { email: 'twice@example.org' })
  await ada.request('logout', undefined)
  expect(await ada.request('logout', undefined)).toEqual({ message: 'Valid' })
})
