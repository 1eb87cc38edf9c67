import { HubConnectionState } from '@microsoft/signalr'
import { expect, onTestFinished, test } from 'vitest'
import { Meetings, meetingRules } from '../../../server/matching/rules/meetings.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { matchedPair, RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub } from '../../support/hub/hub-fakes.ts'
import { hubForTest, officialClient } from '../../support/hub/hub-test.ts'

/** Longer than the hub waits between two looks at the number. */
const NEXT_LOOK_MS = 4_000

/** A hub in which none of these people may meet another. */
async function hubOfStrangers(...names: string[]) {
  const hub = await hubForTest()
  for (const [index, name] of names.entries())
    for (const other of names.slice(index + 1)) hub.blocks.push([name, other])
  return hub
}

test('a search begins with the number of others who search, and hears of each change at the next look', async () => {
  const { connect, clock } = await hubOfStrangers('ann', 'bob', 'cat')
  const ann = await connect('ann')
  await ann.join()
  expect(await ann.event('OnQueueSize')).toEqual([0])
  const bob = await connect('bob')
  await bob.join()
  expect(await bob.event('OnQueueSize')).toEqual([1])
  await ann.settled()
  expect(ann.events('OnQueueSize')).toEqual([[0]])

  clock.advance(NEXT_LOOK_MS)
  expect(await ann.event('OnQueueSize', 2)).toEqual([1])
  const cat = await connect('cat')
  await cat.join()
  await bob.leave()
  clock.advance(NEXT_LOOK_MS)
  await Promise.all([ann.settled(), cat.settled()])
  expect(ann.events('OnQueueSize')).toEqual([[0], [1]])
  expect(cat.events('OnQueueSize')).toEqual([[2], [1]])
})

test('without a change nobody is told again, and a user who is matched at once is told nothing', async () => {
  const { connect, clock } = await hubForTest()
  const ann = await connect('ann')
  await ann.join()
  clock.advance(NEXT_LOOK_MS)
  clock.advance(NEXT_LOOK_MS)
  await ann.settled()
  expect(ann.events('OnQueueSize')).toEqual([[0]])
  const bob = await connect('bob')
  await bob.join()
  await bob.matched()
  clock.advance(NEXT_LOOK_MS)
  await Promise.all([ann.settled(), bob.settled()])
  expect([ann.events('OnQueueSize'), bob.events('OnQueueSize')]).toEqual([[[0]], []])
})

test('a user whose connection dropped does not count, and is told the number when they are back', async () => {
  const { connect, cut, clock } = await hubOfStrangers('ann', 'bob')
  const ann = await connect('ann', 'visit=a')
  await ann.join()
  const bob = await connect('bob')
  await bob.join()
  await cut(ann)
  clock.advance(NEXT_LOOK_MS)
  expect(await bob.event('OnQueueSize', 2)).toEqual([0])
  const back = await connect('ann', 'visit=a')
  expect(await back.event('OnQueueSize')).toEqual([1])
})

test('a search that is delayed counts, once, also while an earlier queue entry is kept', async () => {
  const clock = fakeClock(1_000_000)
  const world = hubWorld(clock)
  const meetings = new Meetings(new LocalCounts(clock.now), meetingRules(10, 20_000))
  const server = await startHub({ ...world.deps, meetings })
  onTestFinished(server.stop)
  world.blocks.push(['ann', 'quick'])
  const quick = await RawClient.connect(server.url, 'quick')
  await quick.join()
  for (let meeting = 0; meeting < 40; meeting += 1) await meetings.met('quick')
  await quick.join()
  await world.delayed(quick.id)
  expect(server.hub.activity().searching).toBe(1)
  const ann = await RawClient.connect(server.url, 'ann')
  await ann.join()
  expect(await ann.event('OnQueueSize')).toEqual([1])
  expect(await quick.event('OnQueueSize', 2)).toEqual([0])
})

test('the official client of a page that does not know the event stays connected', async () => {
  const { url, clock } = await hubForTest()
  const client = officialClient(url, 'ann')
  await client.start()
  await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  clock.advance(NEXT_LOOK_MS)
  await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
  expect(client.state).toBe(HubConnectionState.Connected)
})

test('the users of connected matches are counted as talking', async () => {
  const { url, hub } = await hubForTest()
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  expect(hub.activity().talking).toBe(0)
  await callee.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  expect(hub.activity().talking).toBe(0)
  await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  expect(hub.activity()).toEqual({ searching: 0, talking: 2 })
  await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
  expect(hub.activity().talking).toBe(0)
})
