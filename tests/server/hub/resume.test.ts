import { describe, expect, test } from 'vitest'
import { matchedPair, RawClient, statefulPair } from '../../support/hub/hub-client.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

const SDP = 'm=audio 9\r\nm=video 9\r\n'
const offer = JSON.stringify({ type: 'offer', sdp: SDP })
const candidate = (index: number) =>
  JSON.stringify({ candidate: `candidate:${index} 1 udp 1 127.0.0.1 9 typ host`, sdpMid: '0' })
const PING = { type: 6 }

const targetsOf = (client: RawClient) =>
  client.messages.flatMap((message) => ('target' in message ? [message.target] : []))

async function world() {
  const hub = await hubForTest()
  const pair = await statefulPair(hub.url, 'ann', 'bob')
  const sendChat = (text: string, id: string) =>
    pair.caller.invoke('SendChatMessageToPeer', pair.session, pair.callee.id, text, id)
  return { ...hub, ...pair, sendChat }
}

/** Acknowledges all received messages. */
function acknowledge(client: RawClient): void {
  client.send({ type: 8, sequenceId: client.tracked.length })
}

/** Advances the clock by seconds, in which these clients ping. */
async function pass(clock: { advance(ms: number): void }, seconds: number, ...clients: RawClient[]): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    clock.advance(Math.min(left, 10) * 1_000)
    for (const client of clients) client.send(PING)
    await Promise.all(clients.map((client) => client.settled()))
  }
}

describe('a chat message', () => {
  test('is complete when the peer has acknowledged it, and later ones do not wait for it', async () => {
    const { caller, callee, sendChat } = await world()
    let isComplete = false
    const sent = sendChat('hi', 'm-1').then((error) => {
      isComplete = true
      return error
    })
    await callee.event('OnChatMessage')
    await caller.settled()
    expect(isComplete).toBe(false)
    acknowledge(callee)
    expect(await sent).toBeNull()
  })

  test('is not delivered when the peer has not acknowledged it for 10 seconds', async () => {
    const { clock, caller, callee, session, sendChat, cut } = await world()
    await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await cut(callee)
    const sent = sendChat('hi', 'm-1')
    await caller.settled()
    await pass(clock, 9, caller)
    clock.advance(2_000)
    expect(await sent).toMatch(/^not-delivered: /)
  })

  test('is not delivered when the match ends, and is not sent to a peer who reconnects', async () => {
    const { url, caller, callee, session, sendChat, cut } = await world()
    await cut(callee)
    const sent = sendChat('hi', 'm-1')
    await caller.settled()
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    expect(await sent).toMatch(/^not-delivered: /)
    const back = await RawClient.connect(url, callee.account)
    expect(await back.event('SessionTerminated')).toEqual([session])
    expect(back.events('OnChatMessage')).toEqual([])
  })
})

describe('a user who reconnects with a new connection', () => {
  test('receives, in order, what the earlier one had not acknowledged', async () => {
    const { connectStateful, caller, callee, session, cut, sendChat } = await world()
    await callee.settled()
    acknowledge(callee)
    const sent = [sendChat('one', 'm-1')]
    await callee.event('OnChatMessage')
    await caller.invoke('HandleOffer', session, callee.id, offer)
    await callee.event('OnOfferReceived')
    await cut(callee)
    sent.push(sendChat('two', 'm-2'))
    await caller.invoke('HandleIceCandidate', session, callee.id, candidate(1))
    const back = await connectStateful(callee.account)
    await back.event('OnIceCandidate')
    expect(targetsOf(back)).toEqual([
      'OnUserConnected',
      'OnChatMessage',
      'OnOfferReceived',
      'OnChatMessage',
      'OnIceCandidate',
    ])
    expect(back.events('OnChatMessage').map(([, , id]) => id)).toEqual(['m-1', 'm-2'])
    acknowledge(back)
    expect(await Promise.all(sent)).toEqual([null, null])
  })

  test('receives a match that the earlier connection did not receive, and joining again changes nothing', async () => {
    const { connectStateful, callee, caller, session, cut } = await world()
    await cut(callee)
    const back = await connectStateful(callee.account)
    expect(await back.event('OnUserMatched')).toEqual([expect.any(String), session, caller.id])
    expect(await back.join()).toBeNull()
    expect(caller.events('SessionTerminated')).toEqual([])
  })

  test('learns that the match ended meanwhile, also after the resume window', async () => {
    const { clock, connectStateful, caller, callee, session, cut } = await world()
    await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await callee.settled()
    acknowledge(callee)
    await cut(callee)
    await pass(clock, 46, caller)
    expect(caller.events('SessionTerminated')).toEqual([[session]])
    const back = await connectStateful(callee.account)
    expect(await back.event('SessionTerminated')).toEqual([session])
  })

  test('of the same page has the queue entry at once', async () => {
    const { connect, cut } = await hubForTest()
    const [ann, bob] = [await connect('ann', 'visit=v1'), await connect('bob')]
    await ann.join()
    await cut(ann)
    await bob.join()
    const back = await connect('ann', 'visit=v1')
    expect((await back.matched()).peer).toBe(bob.id)
  })
})

describe('a newer connection of a user', () => {
  test('of the same page takes over from a silent one, with what that one did not acknowledge', async () => {
    const { url } = await hubForTest()
    const older = await RawClient.connectStateful(url, 'ann', 'visit=v1')
    const bob = await RawClient.connect(url, 'bob')
    await Promise.all([older.join(), bob.join()])
    const { session } = await bob.matched()
    older.socket.pause()
    const sent = bob.invokeAny('SendChatMessageToPeer', session, older.id, 'hi')
    await bob.settled()
    const newer = await RawClient.connectStateful(url, 'ann', 'visit=v1')
    expect((await newer.event('OnChatMessage'))[1]).toBe('hi')
    acknowledge(newer)
    expect(await sent).toBeNull()
    expect(bob.events('SessionTerminated')).toEqual([])
    older.socket.resume()
    expect(await older.close()).toEqual({ type: 7 })
    await older.closed
  })

  test('of another page replaces the older one, ends its match and receives none of its events', async () => {
    const { url, cut } = await hubForTest()
    const older = await RawClient.connectStateful(url, 'ann', 'visit=v1')
    const bob = await RawClient.connect(url, 'bob')
    await Promise.all([older.join(), bob.join()])
    const { session } = await bob.matched()
    const sent = bob.invokeAny('SendChatMessageToPeer', session, older.id, 'hi')
    await bob.settled()
    const newer = await RawClient.connectStateful(url, 'ann', 'visit=v2')
    expect(await older.close()).toEqual({ type: 7, error: 'replaced' })
    expect(await sent).toMatch(/^not-delivered: /)
    expect(await bob.event('SessionTerminated')).toEqual([session])
    await newer.settled()
    expect(targetsOf(newer)).toEqual(['OnUserConnected'])

    // The same when the older one was closed before.
    await cut(newer)
    const newest = await RawClient.connectStateful(url, 'ann', 'visit=v3')
    await newest.settled()
    expect(targetsOf(newest)).toEqual(['OnUserConnected'])
  })

  test('the peer’s messages reach it under the ids of all earlier ones', async () => {
    const { url, connect, cut } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await cut(callee)
    const second = await connect(callee.account)
    await cut(second)
    const third = await connect(callee.account)
    for (const id of [callee.id, second.id, third.id])
      expect(await caller.invokeAny('SendChatMessageToPeer', session, id, id)).toBeNull()
    await third.event('OnChatMessage', 3)
  })
})
