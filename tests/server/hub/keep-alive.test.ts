import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../support/fake-clock.ts'
import { matchedPair, RawClient, upgradeStatus } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub, tokenOf } from '../../support/hub/hub-fakes.ts'
import { hubForTest, hubWithRates } from '../../support/hub/hub-test.ts'

const isPing = ({ type }: { type?: number | undefined }) => type === 6
const PING = { type: 6 }

describe('keep-alive and close', () => {
  test('49: the server pings when it has sent nothing for 15 seconds, and only then', async () => {
    const { connect, clock } = await hubForTest()
    const client = await connect('ann')
    clock.advance(10_000)
    await client.settled()
    clock.advance(14_000)
    await client.settled()
    expect(client.messages.filter(isPing)).toEqual([])
    clock.advance(16_000)
    await client.until(() => client.messages.some(isPing))
  })

  test('50: a client silent for 30 seconds must reconnect; a ping is enough to stay', async () => {
    const { connect, clock } = await hubForTest()
    const [silent, pinging] = [await connect('ann'), await connect('bob')]
    clock.advance(20_000)
    pinging.send(PING)
    await pinging.settled()
    clock.advance(11_000)
    expect(await silent.close()).toEqual({ type: 7, error: expect.any(String), allowReconnect: true })
    await silent.closed
    await pinging.settled()
  })

  test('51: a client that closes is removed once, and its token with it', async () => {
    const { url } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.leave()
    expect(await callee.event('SessionTerminated')).toEqual([session])
    await callee.settled()
    expect(callee.events('SessionTerminated')).toHaveLength(1)
    expect(await upgradeStatus(caller.address)).toBe(404)
  })

  test('a newer connection of the same user replaces the older one, which receives the reason', async () => {
    const { connect } = await hubForTest()
    const older = await connect('ann')
    const newer = await connect('ann')
    expect(await older.close()).toEqual({ type: 7, error: 'replaced' })
    await older.closed
    await newer.settled()
  })

  test('draining makes all clients reconnect, refuses new ones and ends when all are closed', async () => {
    const { url, hub, connect } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    const drained = hub.drain()
    expect(await ann.close()).toEqual({ type: 7, allowReconnect: true })
    expect(await bob.close()).toEqual({ type: 7, allowReconnect: true })
    expect(await upgradeStatus(url, { authorization: `Bearer ${tokenOf('cat')}` })).toBe(503)
    const refused = await fetch(`${url}/negotiate?negotiateVersion=1`, { method: 'POST' })
    expect(refused.status).toBe(503)
    await drained
    await Promise.all([ann.closed, bob.closed])
  })

  test('a client that does not answer the end of the connection is cut', async () => {
    const { hub, clock, connect } = await hubForTest()
    const client = await connect('ann')
    client.socket.pause()
    const drained = hub.drain()
    clock.advance(6_000)
    await drained
    client.socket.resume()
    await client.closed
  })

  test('a client that does not read gets no more data of its peer, and is cut for its own completions', async () => {
    const { url, disconnected } = await hubWithRates()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    callee.socket.pause()
    const data = JSON.stringify({ type: 'offer', sdp: `m=audio 9\nm=video 9\n${'a'.repeat(25_000)}` })
    for (let error: string | null = null; error === null; ) {
      const offers = Array.from({ length: 20 }, () => caller.invoke('HandleOffer', session, callee.id, data))
      error = (await Promise.all(offers)).find((one) => one !== null) ?? null
      if (error) expect(error).toMatch(/^not-delivered: /)
    }
    await caller.settled()
    const invocationId = 'x'.repeat(30_000)
    const askOn = setInterval(() => callee.send({ type: 1, invocationId, target: 'Nothing', arguments: [] }), 1)
    await disconnected(callee.id)
    clearInterval(askOn)
    await caller.settled()
    callee.socket.terminate()
  })

  test('a client that floods is refused without being cut, each kind of method by its own limit', async () => {
    const { url } = await hubWithRates({ chat: { perSecond: 1, burst: 2 } })
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    const chat = () => caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'x')
    expect([await chat(), await chat()]).toEqual([null, null])
    expect(await chat()).toMatch(/^too-many-requests: /)
    expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
    await callee.settled()
    expect(callee.events('OnChatMessage')).toHaveLength(2)
  })

  test('users are seen as long as they send, and a fault there affects no user', async () => {
    const { connect, clock, seen, faults } = await hubForTest()
    const client = await connect('ann')
    expect(seen).toEqual(['ann'])
    clock.advance(12_000)
    client.send(PING)
    await client.settled()
    clock.advance(2_000)
    expect(seen).toEqual(['ann', 'ann'])
    faults.add('presence')
    const other = await connect('bob')
    clock.advance(12_000)
    await client.settled()
    clock.advance(2_000)
    await Promise.all([client.settled(), other.settled()])
  })

  test('a call survives a restart of the server', async () => {
    const clock = fakeClock(1_000_000)
    const world = hubWorld(clock)
    const before = await startHub(world.deps)
    const { caller, callee, session } = await matchedPair(before.url, 'ann', 'bob')
    await before.stop()
    clock.advance(60_000)
    expect([...world.live.keys()]).toEqual([session])

    const after = await startHub(world.deps)
    const one = await RawClient.connect(after.url, caller.account)
    const other = await RawClient.connect(after.url, callee.account)
    expect(await one.invokeAny('SendChatMessageToPeer', session, callee.id, 'still here')).toBeNull()
    expect((await other.event('OnChatMessage')).slice(0, 2)).toEqual([session, 'still here'])
    expect(await one.invokeAny('SendChatMessageToPeer', session, one.id, 'to myself')).toMatch(/^not-in-match: /)
    await after.stop()
  })

  test('a call that a restart interrupted between the answer and its confirmation has lasted since the match', async () => {
    const clock = fakeClock(1_000_000)
    const world = hubWorld(clock)
    world.live.set('s', { id: 's', caller: 'ann', callee: 'bob', startedAt: 990_000, connected: false })
    const server = await startHub(world.deps)
    const ann = await RawClient.connect(server.url, 'ann')
    const bob = await RawClient.connect(server.url, 'bob')
    await ann.invoke('UpdateWebRtcConnectionSuccessStatus', 's')
    await ann.invoke('HandleReportedUser', ann.id, bob.id, 'ReportOnly')
    await expect.poll(() => world.reports.map(({ callMs }) => callMs)).toEqual([10_000])
    await server.stop()
  })

  test('a call that a restart interrupted ends when a user does not return within 45 seconds', async () => {
    const clock = fakeClock(1_000_000)
    const world = hubWorld(clock)
    world.live.set('s', { id: 's', caller: 'ann', callee: 'bob', startedAt: 0, connected: true })
    const server = await startHub(world.deps)
    const ann = await RawClient.connect(server.url, 'ann')
    for (let passed = 0; passed < 44; passed += 11) {
      clock.advance(11_000)
      ann.send(PING)
      await ann.settled()
    }
    expect(ann.events('SessionTerminated')).toEqual([])
    clock.advance(1_000)
    expect(await ann.event('SessionTerminated')).toEqual(['s'])
    expect(world.live.size).toBe(0)
    await server.stop()
  })
})
