import { expect, test } from 'vitest'
import { matchedPair, RawClient } from '../../support/hub/hub-client.ts'
import { hubWithRates } from '../../support/hub/hub-test.ts'

const END = '\u001e'

test('a user who reconnects has the limits of two connections at most', async () => {
  const { url } = await hubWithRates({ joins: { perSecond: 1, burst: 2 } })
  const joins: (string | null)[] = []
  for (let connections = 0; connections < 3; connections += 1) {
    const client = await RawClient.connect(url, 'ann')
    joins.push(await client.join(), await client.join(), await client.join())
  }
  const refused = expect.stringMatching(/^too-many-requests: /)
  expect(joins).toEqual([null, null, refused, null, null, refused, refused, refused, refused])
})

test('a used-up limit recovers with time', async () => {
  const { url, clock } = await hubWithRates({ joins: { perSecond: 1, burst: 1 } })
  const client = await RawClient.connect(url, 'ann')
  expect([await client.join(), await client.join()]).toEqual([null, expect.stringMatching(/^too-many-requests: /)])
  clock.advance(1_000)
  expect(await client.join()).toBeNull()
})

test('chat, signalling, joins and the rest have limits of their own', async () => {
  const none = { perSecond: 0, burst: 0 }
  const { url } = await hubWithRates({ chat: none, signalling: none })
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  const candidate = JSON.stringify({ candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host' })
  expect(await caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'x')).toMatch(/^too-many-requests: /)
  expect(await caller.invoke('HandleIceCandidate', session, callee.id, candidate)).toMatch(/^too-many-requests: /)
  expect(await caller.join()).toBeNull()
  expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
})

test('the socket of a client that floods is paused, and a pair that chats meanwhile is not affected', async () => {
  const { url, clock } = await hubWithRates({ control: { perSecond: 1, burst: 5 } })
  const abuser = await RawClient.connect(url, 'eve')
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  const flood = `{"type":1,"invocationId":"f","target":"Flood","arguments":["${'x'.repeat(1_000)}"]}${END}`
  const completions = () => abuser.messages.filter(({ type }) => type === 3).length
  for (let sent = 0; sent < 20_000; sent += 1) abuser.raw(flood)
  await abuser.until(() => completions() >= 50)

  const texts = Array.from({ length: 200 }, (_, index) => `${index}`)
  const sent = texts.map((text) => caller.invokeAny('SendChatMessageToPeer', session, callee.id, text))
  expect(await Promise.all(sent)).toEqual(texts.map(() => null))
  await callee.event('OnChatMessage', 200)
  expect(callee.events('OnChatMessage').map(([, text]) => text)).toEqual(texts)

  // The socket is paused at the 50th refusal; messages that had been read by then are refused too.
  const before = completions()
  expect(before).toBeLessThan(2_000)
  clock.advance(1_000)
  await abuser.until(() => completions() > before)
  abuser.socket.terminate()
})
