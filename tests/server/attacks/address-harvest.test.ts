import { expect, onTestFinished, test } from 'vitest'
import { Meetings, meetingRules } from '../../../server/matching/rules/meetings.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { harvestAddresses } from '../../support/attacks/address-harvest.ts'
import { accessOf } from '../../support/attacks/hub-access.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { matchedPair, RawClient } from '../../support/hub/hub-client.ts'
import { hubWorld, startHub } from '../../support/hub/hub-fakes.ts'

const SDP = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n'
const candidate = JSON.stringify({ candidate: 'candidate:1 1 udp 1 198.51.100.1 9 typ host', sdpMid: '0' })

/** A hub with the limits of production. */
async function hub() {
  const clock = fakeClock(1_000_000)
  const world = hubWorld(clock)
  const meetings = new Meetings(new LocalCounts(clock.now), meetingRules(10, 20_000))
  const server = await startHub({ ...world.deps, meetings })
  onTestFinished(server.stop)
  return { ...world, ...server, clock }
}
type World = Awaited<ReturnType<typeof hub>>

/** Matches an account with as many of these as it can meet before its search is delayed. Resolves with the harvest. */
async function harvest(world: World, names: string[], by = 'eve') {
  const stop = new AbortController()
  const all = harvestAddresses(
    accessOf(world.url, by),
    names.map((name) => accessOf(world.url, name)),
    { stop: stop.signal, began: (client) => void world.delayed(client.id).then(() => stop.abort()) },
  )
  return all
}

const crowd = (from: string) => Array.from({ length: 12 }, (_, index) => `${from}${index}`)

test('an account that leaves at once meets four users a minute, and gets no address after the third', async () => {
  const world = await hub()
  expect(await harvest(world, crowd('a'))).toEqual({ met: 4, addresses: 3 })
  world.clock.advance(60_000)
  expect(await harvest(world, crowd('b'))).toEqual({ met: 4, addresses: 0 })
  world.clock.advance(60_000)
  expect(await harvest(world, crowd('c'))).toEqual({ met: 4, addresses: 0 })
})

/** Eve has used up her matches of a minute and searches again; Ann waits in the queue. */
async function delayedSearch() {
  const world = await hub()
  await harvest(world, crowd('a'))
  const eve = await RawClient.connect(world.url, 'eve')
  const ann = await RawClient.connect(world.url, 'ann')
  expect(await eve.join()).toBeNull()
  await ann.join()
  async function advance(ms: number): Promise<void> {
    world.clock.advance(ms)
    await Promise.all([eve.settled(), ann.settled()])
  }
  return { world, eve, advance }
}

test('a delayed search continues by itself, also over a new connection', async () => {
  const { world, eve, advance } = await delayedSearch()
  for (let tenths = 0; tenths < 5; tenths += 1) {
    await advance(10_000)
  }
  world.clock.advance(9_999)
  await eve.settled()
  expect(eve.events('OnUserMatched')).toEqual([])
  world.clock.advance(1)
  await eve.matched()
})

test('a delayed search is retried if the database fails when its delay ends', async () => {
  const { world, eve, advance } = await delayedSearch()
  for (let tenths = 0; tenths < 6; tenths += 1) {
    if (tenths === 5) world.faults.add('profile')
    await advance(10_000)
  }
  expect(eve.events('OnUserMatched')).toEqual([])
  world.faults.delete('profile')
  world.clock.advance(1_000)
  await eve.matched()
})

test('in a match with an account that leaves early, candidates are held for a second and then delivered in order, in both directions', async () => {
  const world = await hub()
  await harvest(world, crowd('a'))
  world.clock.advance(60_000)
  const { caller, callee, session } = await matchedPair(world.url, 'eve', 'ann')
  const withAddress = `${SDP}a=mid:1\r\na=candidate:7 1 udp 1 198.51.100.7 9 typ host\r\n`
  expect(
    await caller.invoke('HandleOffer', session, callee.id, JSON.stringify({ type: 'offer', sdp: withAddress })),
  ).toBeNull()
  expect(await caller.invoke('HandleIceCandidate', session, callee.id, candidate)).toBeNull()
  expect(
    await callee.invoke('HandleAnswer', session, caller.id, JSON.stringify({ type: 'answer', sdp: SDP })),
  ).toBeNull()
  expect(await callee.invoke('HandleIceCandidate', session, caller.id, candidate)).toBeNull()
  expect(await callee.event('OnOfferReceived')).toEqual([
    session,
    JSON.stringify({ type: 'offer', sdp: `${SDP}a=mid:1\r\n` }),
  ])
  await caller.event('OnAnswerReceived')
  await Promise.all([caller.settled(), callee.settled()])
  expect([...caller.events('OnIceCandidate'), ...callee.events('OnIceCandidate')]).toEqual([])
  world.clock.advance(1_000)
  expect(await callee.event('OnIceCandidate', 2)).toEqual([session, candidate])
  expect(JSON.parse(String(callee.events('OnIceCandidate')[0]?.[1]))).toEqual({
    candidate: 'candidate:7 1 udp 1 198.51.100.7 9 typ host',
    sdpMid: '1',
    sdpMLineIndex: 1,
    usernameFragment: null,
  })
  expect(await caller.event('OnIceCandidate')).toEqual([session, candidate])
  // Later candidates are not held.
  expect(await caller.invoke('HandleIceCandidate', session, callee.id, candidate)).toBeNull()
  await callee.event('OnIceCandidate', 3)
})

test('a user who presses Next as often as the page allows, or whose peers always leave, is never delayed', async () => {
  const world = await hub()
  const ann = await RawClient.connect(world.url, 'ann')
  let met = 0
  const next = async (stayMs: number, leaver: 'ann' | 'peer') => {
    const peer = await RawClient.connect(world.url, `p${met}`)
    await peer.join()
    await ann.join()
    met += 1
    const { session } = await ann.matched(met)
    world.clock.advance(stayMs)
    const side = leaver === 'ann' ? ann : peer
    expect(await side.invoke('OnMatchedSessionTerminationRequested', session, side.id)).toBeNull()
    await peer.leave()
    ann.send({ type: 6 })
  }
  for (let times = 0; times < 12; times += 1) await next(10_000, 'ann')
  for (let times = 0; times < 30; times += 1) await next(2_000, 'peer')
  expect(met).toBe(42)
})
