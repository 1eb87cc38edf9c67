import { once } from 'node:events'
import { HubConnectionState } from '@microsoft/signalr'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hubErrorCode } from '#protocol/hub.ts'
import { RawClient, statefulPair, upgradeStatus } from '../../support/hub/hub-client.ts'
import { startHubProxy } from '../../support/hub/hub-proxy.ts'
import { soak } from '../../support/hub/hub-soak.ts'
import { hubForTest, hubInRealTime, hubWithRates, statefulClient } from '../../support/hub/hub-test.ts'

const STATEFUL = 'negotiateVersion=1&useStatefulReconnect=true'
const PING = { type: 6 }
const ACK_MS = 1_250

const textsOf = (client: RawClient) => client.events('OnChatMessage').map(([, text]) => text)
const acksOf = (client: RawClient) =>
  client.messages.flatMap((message) => (message.type === 8 ? [message.sequenceId] : []))

/** Two matched users with stateful connections. */
async function world() {
  const hub = await hubForTest()
  const pair = await statefulPair(hub.url, 'ann', 'bob')
  return { ...hub, ...pair }
}

describe('version 2 must be requested', () => {
  test('5: stateful reconnect is offered only when it was requested', async () => {
    const { url } = await hubForTest()
    expect((await (await fetchNegotiate(url, STATEFUL)).json()).useStatefulReconnect).toBe(true)
    for (const query of ['negotiateVersion=1', 'negotiateVersion=1&useStatefulReconnect=false', ''])
      expect(await (await fetchNegotiate(url, query)).json()).not.toHaveProperty('useStatefulReconnect')
  })

  test('28: version 1 receives no Ack, and nothing is kept for it', async () => {
    const { url, clock, cut } = await hubForTest()
    const client = await RawClient.open(url, 'ann', 'useStatefulReconnect=true')
    client.send({ protocol: 'json', version: 1 })
    await client.event('OnUserConnected')
    await client.settled()
    clock.advance(ACK_MS)
    client.send({ type: 8, sequenceId: 99 }, { type: 9, sequenceId: 99 })
    await client.settled()
    expect(client.messages.filter(({ type }) => type === 8 || type === 9)).toEqual([])
    const [id] = await client.event('OnUserConnected')
    client.id = String(id)
    await cut(client)
    expect(await upgradeStatus(client.address)).toBe(404)
  })

  test('29: version 2 is refused when it was not negotiated', async () => {
    const { url } = await hubForTest()
    const client = await RawClient.open(url, 'ann')
    client.send({ protocol: 'json', version: 2 })
    await client.closed
    expect(client.messages).toEqual([{ error: expect.any(String) }])
  })

  test('29: the official client uses version 2 when it requests it', async () => {
    const { url } = await hubForTest()
    const client = statefulClient(url, 'ann')
    await client.start()
    expect(await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')).toBeUndefined()
  })
})

describe('the start', () => {
  test('27: no tracked message is sent before the first ping', async () => {
    const { url, clock } = await hubForTest()
    const client = await RawClient.open(url, 'ann', 'useStatefulReconnect=true')
    client.send({ protocol: 'json', version: 2 })
    client.send({ type: 1, invocationId: 'x', target: 'Nothing', arguments: [] })
    await client.until(() => client.messages.length > 0)
    clock.advance(ACK_MS)
    await client.until(() => acksOf(client).length === 1)
    expect(client.tracked).toEqual([])
    client.send(PING)
    await client.until(() => client.tracked.length === 2)
    expect(client.tracked.map(({ type }) => type)).toEqual([1, 3])
  })

  test('27: the first event of an official client is not doubled by a reset', async () => {
    const { url, disconnected } = await hubForTest()
    const proxy = await startHubProxy(url)
    onTestFinished(proxy.close)
    const client = statefulClient(proxy.url, 'ann')
    const ids: string[] = []
    client.on('OnUserConnected', (id: string) => ids.push(id))
    await client.start()
    const id = client.connectionId ?? ''
    await client.invoke('InitiateMatchingWithPeers', id, '[]')
    proxy.cut()
    await disconnected(id)
    await client.invoke('InitiateMatchingWithPeers', id, '[]')
    expect(ids).toEqual([id])
    expect(client.connectionId).toBe(id)
  })
})

describe('a lost socket', () => {
  test('54: loses nothing: Sequence names the first unacknowledged message, then come all of them, no handshake', async () => {
    const { caller, callee, session, cut } = await world()
    callee.send({ type: 8, sequenceId: callee.tracked.length })
    const acknowledged = callee.tracked.length
    await callee.settled()
    await cut(callee)
    for (const text of ['one', 'two'])
      caller.send({ type: 1, target: 'SendChatMessageToPeer', arguments: [session, callee.id, text] })
    await caller.settled()
    const back = await callee.reattach(2)
    await back.until(() => back.tracked.length === 3)
    expect(back.messages[0]).toEqual({ type: 9, sequenceId: acknowledged + 1 })
    expect(back.tracked.map(({ type }) => type)).toEqual([3, 1, 1])
    expect(textsOf(back)).toEqual(['one', 'two'])
    expect(back.id).toBe(callee.id)
  })

  test('54: Sequence is one more than the last message when all are acknowledged', async () => {
    const { callee, cut } = await world()
    await callee.settled()
    callee.send({ type: 8, sequenceId: callee.tracked.length })
    await cut(callee)
    const back = await callee.reattach(1)
    await back.until(() => back.messages.length === 1)
    expect(back.messages).toEqual([{ type: 9, sequenceId: callee.tracked.length + 1 }])
  })

  test('55: a message received before is not handled again, and is acknowledged again', async () => {
    const { caller, callee, session, cut, clock } = await world()
    const chat = { type: 1, target: 'SendChatMessageToPeer', arguments: [session, callee.id, 'once'] }
    caller.send(chat)
    await callee.event('OnChatMessage')
    await cut(caller)
    const back = await caller.reattach(2)
    back.send(chat)
    await back.settled()
    expect(textsOf(callee)).toEqual(['once'])
    clock.advance(ACK_MS)
    await back.until(() => acksOf(back).includes(3))
    expect(acksOf(back).at(-1)).toBe(3)
  })

  test('55: before the Sequence of a new socket no tracked message is handled', async () => {
    const { caller, callee, session, cut } = await world()
    const chat = (text: string) => ({ type: 1, target: 'SendChatMessageToPeer', arguments: [session, callee.id, text] })
    await cut(caller)
    const back = await RawClient.dial(caller.address, 'ann')
    back.send(chat('too early'))
    back.send({ type: 9, sequenceId: 2 }, chat('in time'))
    await callee.event('OnChatMessage')
    expect(textsOf(callee)).toEqual(['in time'])
  })

  test('56: messages of types 1 to 5 are acknowledged about a second later, pings are not', async () => {
    const { connectStateful, clock } = await hubForTest()
    const client = await connectStateful('ann')
    client.send(PING, { type: 1, target: 'Nothing', arguments: [] }, { type: 2, invocationId: 'x', item: 1 })
    client.send({ type: 3, invocationId: 'x' }, { type: 5, invocationId: 'x' }, PING)
    client.socket.ping()
    await once(client.socket, 'pong')
    clock.advance(ACK_MS)
    await client.until(() => acksOf(client).length > 0)
    expect(acksOf(client)).toEqual([4])
    client.send({ type: 4, invocationId: 's', target: 'Nothing', arguments: [] })
    await client.until(() => client.tracked.length === 2)
    clock.advance(5 * ACK_MS)
    await client.settled()
    // The last is that of `settled`.
    expect(acksOf(client)).toEqual([4, 5, 6])
  })

  test('56: an Ack goes along with the next message, and none follows it', async () => {
    const { connectStateful, clock } = await hubForTest()
    const client = await connectStateful('ann')
    await client.invokeAny('Nothing')
    expect(client.frames.at(-1)).toMatch(/^\{"type":3,.*\{"type":8,"sequenceId":1\}/)
    clock.advance(5 * ACK_MS)
    await client.invokeAny('Nothing')
    expect(acksOf(client)).toEqual([1, 2])
  })

  test('56: a client that sends much is acknowledged before the second is over', async () => {
    const { connectStateful } = await hubForTest()
    const client = await connectStateful('ann')
    for (let sent = 0; sent < 3; sent += 1) client.send({ type: 1, target: 'Nothing', arguments: ['x'.repeat(20_000)] })
    await client.until(() => acksOf(client).length > 0)
  })

  test.each([
    ['an Ack of what was never sent', { type: 8, sequenceId: 99 }],
    ['an Ack below zero', { type: 8, sequenceId: -1 }],
    ['an Ack that is no number', { type: 8, sequenceId: 'one' }],
    ['a Sequence below one', { type: 9, sequenceId: 0 }],
    ['a Sequence too large', { type: 9, sequenceId: 99 }],
    ['a Sequence that is no whole number', { type: 9, sequenceId: 1.5 }],
    ['a Sequence without a number', { type: 9 }],
  ])('57: %s ends the connection', async (_name, message) => {
    const { connectStateful } = await hubForTest()
    const client = await connectStateful('ann')
    client.send(message)
    expect(await client.close()).toEqual({ type: 7, error: expect.any(String) })
    await client.closed
    expect(await upgradeStatus(client.address)).toBe(404)
  })

  test('58: a new socket takes over from one that is still open', async () => {
    const { caller, callee, session } = await world()
    caller.send({ type: 8, sequenceId: caller.tracked.length })
    await caller.settled()
    const taken = await caller.reattach(3)
    await caller.closed
    expect(await taken.invokeAny('SendChatMessageToPeer', 'none', callee.id, 'hi')).toMatch(/^not-in-match: /)
    taken.send({ type: 1, target: 'SendChatMessageToPeer', arguments: [session, callee.id, 'still me'] })
    await callee.event('OnChatMessage')
    expect(callee.events('SessionTerminated')).toEqual([])
  })

  test('58: neither a connection of another user nor one without handshake can be taken over', async () => {
    const { url, connectStateful } = await hubForTest()
    const client = await connectStateful('ann')
    const foreign = client.address.replace(/access_token=.*/, 'access_token=token.bob.session-bob')
    expect(await upgradeStatus(foreign)).toBe(403)
    const silent = await RawClient.open(url, 'cat', 'useStatefulReconnect=true')
    expect(await upgradeStatus(silent.address)).toBe(409)
  })

  test('59: a clean close ends the connection, with or without a Close message', async () => {
    const { connectStateful, disconnected } = await hubForTest()
    const [ann, bob] = [await connectStateful('ann'), await connectStateful('bob')]
    await ann.leave()
    bob.socket.close()
    await Promise.all([disconnected(ann.id), disconnected(bob.id)])
    expect(await upgradeStatus(ann.address)).toBe(404)
    expect(await upgradeStatus(bob.address)).toBe(404)
  })

  test('59: a client that does not return in time is closed, once', async () => {
    const { caller, callee, session, cut, clock, disconnected, live } = await world()
    await caller.invokeAny('UpdateWebRtcConnectionSuccessStatus', session)
    await cut(caller)
    for (let seconds = 0; seconds < 44; seconds += 11) {
      clock.advance(11_000)
      callee.send(PING)
      await callee.settled()
    }
    await disconnected(caller.id, 2)
    expect(await upgradeStatus(caller.address)).toBe(404)
    expect(callee.events('SessionTerminated')).toEqual([])
    clock.advance(2_000)
    await callee.event('SessionTerminated')
    await callee.settled()
    expect(callee.events('SessionTerminated')).toEqual([[session]])
    expect(live.size).toBe(0)
  })

  test('a connection that was resumed stays in its match without a time limit', async () => {
    const { caller, callee, session, cut, clock } = await world()
    await caller.invokeAny('UpdateWebRtcConnectionSuccessStatus', session)
    await cut(caller)
    clock.advance(20_000)
    callee.send(PING)
    await callee.settled()
    const back = await caller.reattach(3)
    for (let seconds = 0; seconds < 60; seconds += 10) {
      clock.advance(10_000)
      back.send(PING)
      callee.send(PING)
      await Promise.all([back.settled(), callee.settled()])
    }
    expect(callee.events('SessionTerminated')).toEqual([])
  })
})

describe('the buffer', () => {
  test('100,000 bytes are sent, the rest as they are acknowledged', async () => {
    const { url } = await hubWithRates()
    const { caller, callee, session } = await statefulPair(url, 'ann', 'bob')
    const before = callee.tracked.length
    const data = JSON.stringify({ type: 'offer', sdp: `m=audio 9\nm=video 9\n${'a'.repeat(20_000)}` })
    for (let sent = 0; sent < 10; sent += 1) await caller.invoke('HandleOffer', session, callee.id, data)
    await callee.event('OnOfferReceived', 4)
    // Its Ack is sent at once, after everything that was written before.
    callee.send({ type: 1, target: 'Nothing', arguments: ['x'.repeat(26_000)] })
    await callee.until(() => acksOf(callee).includes(2))
    expect(callee.events('OnOfferReceived')).toHaveLength(4)
    callee.send({ type: 8, sequenceId: before + 4 })
    await callee.event('OnOfferReceived', 8)
  })

  test('a client that acknowledges no completions is cut at 1 MB', async () => {
    const { url, disconnected } = await hubWithRates()
    const client = await RawClient.connectStateful(url, 'ann')
    // A completion repeats the id of its invocation.
    const invocationId = 'x'.repeat(30_000)
    for (let sent = 0; sent < 40; sent += 1) client.send({ type: 1, invocationId, target: 'Nothing', arguments: [] })
    await disconnected(client.id)
  })
})

describe('the end, seen by the official client', () => {
  test('52: a replaced stateful client cannot re-attach to its old connection', async () => {
    const { url } = await hubForTest()
    const older = statefulClient(url, 'ann')
    await older.start()
    const ended = new Promise<Error | undefined>((resolve) => older.onclose(resolve))
    await statefulClient(url, 'ann').start()
    const error = await ended
    expect(error && hubErrorCode(error.message)).toBe('replaced')
    expect(older.state).toBe(HubConnectionState.Disconnected)
  })

  test('53: draining makes stateful clients reconnect, too', async () => {
    const { url, hub } = await hubForTest()
    const client = statefulClient(url, 'ann')
    await client.start()
    const reconnecting = new Promise((resolve) => client.onclose(resolve))
    await hub.drain()
    await reconnecting
  })
})

test('60: connections that are reset again and again lose, double and reorder nothing', async () => {
  const { url } = await hubInRealTime()
  const { messages, resets, ...wrong } = await soak({ url, pairs: 4, messages: 2_000, resets: 32 })
  expect(wrong).toEqual({ lost: 0, doubled: 0, reordered: 0 })
  expect(messages).toBe(2_000)
  expect(resets).toBeGreaterThanOrEqual(28)
})

async function fetchNegotiate(url: string, query: string): Promise<Response> {
  const headers = { authorization: 'Bearer token.ann.session-ann' }
  return fetch(`${url}/negotiate?${query}`, { method: 'POST', headers })
}
