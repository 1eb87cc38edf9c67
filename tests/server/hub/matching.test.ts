import { describe, expect, test } from 'vitest'
import { matchedPair, type RawClient } from '../../support/hub/hub-client.ts'
import { RELAX_AFTER_MS } from '../../support/hub/hub-fakes.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

type Clock = { advance(ms: number): void }

const descriptionOf = (type: 'offer' | 'answer') =>
  JSON.stringify({ type, sdp: 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n' })

async function exchangeDescriptions(caller: RawClient, callee: RawClient, session: string): Promise<void> {
  await caller.invoke('HandleOffer', session, callee.id, descriptionOf('offer'))
  await callee.invoke('HandleAnswer', session, caller.id, descriptionOf('answer'))
}

/** Advances the clock by seconds, in which these clients ping. */
async function pass(clock: Clock, seconds: number, ...clients: RawClient[]): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    clock.advance(Math.min(left, 10) * 1_000)
    for (const client of clients) client.send({ type: 6 })
    await Promise.all(clients.map((client) => client.settled()))
  }
}

describe('matching pairs', () => {
  test('no user with themself, also from two tabs', async () => {
    const { connect } = await hubForTest()
    const older = await connect('ann')
    await older.join()
    const newer = await connect('ann')
    await newer.join()
    await older.closed
    await newer.settled()
    expect([...older.events('OnUserMatched'), ...newer.events('OnUserMatched')]).toEqual([])
    const bob = await connect('bob')
    await bob.join()
    expect(await bob.matched()).toMatchObject({ peer: newer.id })
  })

  test.each(['ReportOnly', 'BlockAndReport'] as const)(
    'no pair with a report (%s), also when it is a moment old',
    async (type) => {
      const { url, clock, blocks, connect } = await hubForTest()
      blocks.push(['cat', 'ann'])
      const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
      await caller.invoke('HandleReportedUser', caller.id, callee.id, type)
      await Promise.all([caller.join(), callee.join()])
      await pass(clock, (2 * RELAX_AFTER_MS) / 1_000, caller, callee)
      expect(caller.events('OnUserMatched')).toHaveLength(1)
      expect(callee.events('OnUserMatched')).toHaveLength(1)
      const cat = await connect('cat')
      await cat.join()
      const match = await cat.matched()
      expect(match.session).not.toBe(session)
      expect(match.peer).toBe([caller, callee].find(({ account }) => account === 'bob')?.id)
    },
  )

  test('no blocked pair, also when the block comes while both are joining the queue', async () => {
    const { url, connect, clock, relationsGate, reportsGate } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    reportsGate.hold()
    const block = [caller.id, callee.id, 'BlockAndReport']
    caller.send({ type: 1, target: 'HandleReportedUser', arguments: block })
    await reportsGate.reached(1)
    const newer = await connect(caller.account)
    relationsGate.hold()
    const joined = [newer.join(), callee.join()]
    await relationsGate.reached(2)
    reportsGate.release()
    await newer.event('OnUserReportingSuccessful')
    relationsGate.release()
    await Promise.all(joined)
    await pass(clock, (2 * RELAX_AFTER_MS) / 1_000, newer, callee)
    expect(newer.events('OnUserMatched')).toEqual([])
  })

  test('earlier partners only when the relax time has passed and there is no new partner', async () => {
    const { url, clock } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    await Promise.all([caller.join(), callee.join()])
    clock.advance(RELAX_AFTER_MS - 1)
    await Promise.all([caller.settled(), callee.settled()])
    expect(caller.events('OnUserMatched')).toHaveLength(1)
    clock.advance(1)
    expect((await caller.matched(2)).session).toBe((await callee.matched(2)).session)
  })

  test('no user who is blocked, suspended or without a profile', async () => {
    const { connect, statuses } = await hubForTest()
    const [ann, unnamed] = [await connect('ann'), await connect('unnamed')]
    for (const status of ['Appeal', 'InReview', 'Blocked'] as const) {
      statuses.set('ann', status)
      expect(await ann.join()).toMatch(/^blocked: /)
    }
    expect(await unnamed.join()).toMatch(/^forbidden: /)
    statuses.set('ann', 'Warning')
    expect(await ann.join()).toBeNull()
  })

  test('no user under the connection of another', async () => {
    const { connect } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    expect(await ann.invoke('InitiateMatchingWithPeers', bob.id, '[]')).toMatch(/^forbidden: /)
  })
})

describe('the queue and the connection', () => {
  test('a clean stop leaves the queue at once', async () => {
    const { connect } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    await ann.join()
    await ann.leave()
    await bob.join()
    const again = await connect('ann')
    await again.settled()
    await bob.settled()
    expect(bob.events('OnUserMatched')).toEqual([])
  })

  test('a user who drops is not paired meanwhile and resumes the same queue entry', async () => {
    const { connect, clock, cut } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    await ann.join()
    await cut(ann)
    await bob.join()
    await bob.settled()
    expect(bob.events('OnUserMatched')).toEqual([])
    const back = await connect('ann')
    await back.settled()
    expect(back.events('OnUserMatched')).toEqual([])
    clock.advance(1_000)
    expect((await back.matched()).peer).toBe(bob.id)
    expect((await bob.matched()).peer).toBe(back.id)
  })

  test('a newer tab has the queue entry but is not paired before it has joined, or had time to', async () => {
    const { connect, clock } = await hubForTest()
    const older = await connect('ann')
    await older.join()
    const newer = await connect('ann')
    const bob = await connect('bob')
    await bob.join()
    await bob.settled()
    expect(bob.events('OnUserMatched')).toEqual([])
    clock.advance(1_000)
    expect((await bob.matched()).peer).toBe(newer.id)
  })

  test('a user who returns and joins again is matched without waiting', async () => {
    const { connect, cut } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    await ann.join()
    await cut(ann)
    await bob.join()
    const back = await connect('ann')
    await back.join()
    expect((await back.matched()).peer).toBe(bob.id)
  })

  test('joining again on the connection on which the match was announced changes nothing', async () => {
    const { url } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    expect(await caller.join()).toBeNull()
    expect(await caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'hi')).toBeNull()
    expect(callee.events('SessionTerminated')).toEqual([])
  })

  test('a page that was loaded anew and joins has left its earlier match', async () => {
    const { url, connect, cut } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await cut(caller)
    const reloaded = await connect(caller.account)
    expect(await reloaded.join()).toBeNull()
    expect(await callee.event('SessionTerminated')).toEqual([session])
  })

  test('a match is not announced before it is written', async () => {
    const { connect, faults, logged, clock } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    faults.add('open')
    await Promise.all([ann.join(), bob.join()])
    await Promise.all([ann.settled(), bob.settled()])
    expect(ann.events('OnUserMatched')).toEqual([])
    expect(logged).toHaveLength(1)
    faults.clear()
    clock.advance(1_000)
    expect((await ann.matched()).peer).toBe(bob.id)
  })

  test('when a user leaves while the match is being written, the other waits on', async () => {
    const { connect, faults, clock, live } = await hubForTest()
    const [ann, bob] = [await connect('ann'), await connect('bob')]
    faults.add('open')
    await Promise.all([ann.join(), bob.join()])
    await ann.leave()
    faults.clear()
    const cat = await connect('cat')
    await cat.join()
    clock.advance(1_000)
    expect((await bob.matched()).peer).toBe(cat.id)
    expect(live.size).toBe(1)

    // The queue entry of the user who left is removed.
    const [dan, again] = [await connect('dan'), await connect('ann')]
    await dan.join()
    clock.advance(2_000)
    await Promise.all([dan.settled(), again.settled()])
    expect(dan.events('OnUserMatched')).toEqual([])
  })
})

describe('how long a match is kept', () => {
  test('a match waits 45 seconds for a user who dropped, then the other is notified', async () => {
    const { url, clock, live, cut } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await cut(caller)
    await callee.settled()
    await pass(clock, 44, callee)
    expect(callee.events('SessionTerminated')).toEqual([])
    await pass(clock, 2, callee)
    expect(callee.events('SessionTerminated')).toEqual([[session]])
    expect(live.size).toBe(0)
  })

  test('a user who returns in time stays in the match without a time limit', async () => {
    const { url, clock, connect, cut } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await cut(caller)
    await pass(clock, 40, callee)
    const back = await connect(caller.account)
    await pass(clock, 60, callee, back)
    expect(callee.events('SessionTerminated')).toEqual([])
    expect(await back.invokeAny('SendChatMessageToPeer', session, callee.id, 'hi')).toBeNull()
  })

  test('a match that never connects ends for both after the match timeout', async () => {
    const { url, clock } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await exchangeDescriptions(caller, callee, session)
    await pass(clock, 19, caller, callee)
    expect(caller.events('SessionTerminated')).toEqual([])
    clock.advance(1_000)
    expect(await caller.event('SessionTerminated')).toEqual([session])
    expect(await callee.event('SessionTerminated')).toEqual([session])
  })

  test('a match in which one side sends nothing at all ends sooner', async () => {
    const { url, clock } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, '', '')
    await pass(clock, 4, caller, callee)
    expect(caller.events('SessionTerminated')).toEqual([])
    clock.advance(1_000)
    expect(await caller.event('SessionTerminated')).toEqual([session])
    expect(await callee.event('SessionTerminated')).toEqual([session])
  })

  test('a match in which the offer is not answered ends before its limit, by a side that is there', async () => {
    const { url, clock } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await callee.invoke('HandleUserNickNameAndUserEmailIdToPeer', caller.id, '', '')
    await caller.invoke('HandleOffer', session, callee.id, descriptionOf('offer'))
    await callee.event('OnOfferReceived')
    await pass(clock, 11, caller, callee)
    expect(caller.events('SessionTerminated')).toEqual([])
    clock.advance(1_000)
    expect(await caller.event('SessionTerminated')).toEqual([session])
  })

  test('a side that drops before it answers has the whole limit', async () => {
    const { url, clock, cut } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('HandleOffer', session, callee.id, descriptionOf('offer'))
    await cut(callee)
    await pass(clock, 19, caller)
    expect(caller.events('SessionTerminated')).toEqual([])
  })

  test('a match that is connected does not time out', async () => {
    const { url, clock } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await pass(clock, 120, caller, callee)
    expect(await callee.invokeAny('SendChatMessageToPeer', session, caller.id, 'hi')).toBeNull()
  })

  test('a user who is blocked loses connection and match, and the other is notified', async () => {
    const { url, hub } = await hubForTest()
    const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
    hub.disconnect(caller.account)
    expect(await caller.close()).toEqual({ type: 7, error: 'blocked' })
    expect(await callee.event('SessionTerminated')).toEqual([session])
  })
})
