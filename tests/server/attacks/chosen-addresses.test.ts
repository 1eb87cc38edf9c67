import { expect, onTestFinished, test } from 'vitest'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'
import { startRedis } from '../../support/servers/redis.ts'

const [evesNetwork, annsNetwork] = ['81.2.69.160', '2a02:c7c:1:2::9']
const at = (address: string, port = 50_000) => `candidate:1 1 udp 2113937151 ${address} ${port} typ host generation 0`
const textOf = (candidate: string) => JSON.stringify({ candidate, sdpMid: '0' })
const sdpWith = (candidates: string[]) =>
  ['v=0', 'm=audio 9 X 1', ...candidates.map((line) => `a=${line}`), 'm=video 9 X 2', 'a=mid:1', ''].join('\r\n')

type Address = { from: string }

/** Matches eve, who chooses addresses, with ann. */
async function meet(urls: [string, string], eveAt: Address, annAt: Address) {
  const eve = await RawClient.connectStateful(urls[0], 'eve', `from=${eveAt.from}`)
  const ann = await RawClient.connect(urls[1], 'ann', `from=${annAt.from}`)
  await Promise.all([eve.join(), ann.join()])
  const [{ session, role }] = await Promise.all([eve.matched(), ann.matched()])

  /** Resolves with the addresses in the candidates that reach ann, of a description and one by one. */
  return {
    eve,
    ann,
    session,
    async reachAnn(candidates: string[], sender = eve): Promise<string[]> {
      const type = role === 'Caller' ? 'offer' : 'answer'
      const [method, event] =
        type === 'offer'
          ? (['HandleOffer', 'OnOfferReceived'] as const)
          : (['HandleAnswer', 'OnAnswerReceived'] as const)
      const known = { descriptions: ann.events(event).length, candidates: ann.events('OnIceCandidate').length }
      const half = Math.ceil(candidates.length / 2)
      const sdp = sdpWith(candidates.slice(0, half))
      expect(await sender.invoke(method, session, ann.id, JSON.stringify({ type, sdp }))).toBeNull()
      for (const candidate of candidates.slice(half))
        expect(await sender.invoke('HandleIceCandidate', session, ann.id, textOf(candidate))).toBeNull()
      // The last event that eve causes.
      const typing = ann.event('OnPeerTyping', ann.events('OnPeerTyping').length + 1)
      expect(await sender.invoke('HandleTyping', session, ann.id)).toBeNull()
      await typing
      const data = [
        ...ann.events(event).slice(known.descriptions),
        ...ann.events('OnIceCandidate').slice(known.candidates),
      ]
      return data.flatMap((args) =>
        [...JSON.stringify(args).matchAll(/candidate:1 1 udp \d+ (\S+)/g)].map(([, found = '']) => found),
      )
    },
  }
}

const chosen = [
  ...Array.from({ length: 20 }, (_, index) => at('127.0.0.1', 8_000 + index)),
  ...Array.from({ length: 20 }, (_, index) => at(`192.168.1.${index}`, 80)),
  ...['fd12::1', 'fe80::1', '::1', 'router.local', '2a02:c7c:1:2::1'].map((address) => at(address)),
]

test('no address of a peer’s own network or machine reaches its browser from another network', async () => {
  const { url } = await hubForTest()
  const { reachAnn } = await meet([url, url], { from: evesNetwork }, { from: annsNetwork })
  expect(await reachAnn(chosen)).toEqual([])
  expect(await reachAnn([at('9.9.9.9'), at('2620:fe::fe')])).toEqual(['9.9.9.9', '2620:fe::fe'])
})

test('two people of one network connect by its private addresses', async () => {
  const { url } = await hubForTest()
  const { reachAnn } = await meet([url, url], { from: annsNetwork }, { from: '2a02:c7c:1:2:5::1' })
  expect(await reachAnn([at('192.168.1.7'), at('fd12::7')])).toEqual(['192.168.1.7', 'fd12::7'])
})

test.each([
  ['another network', evesNetwork, ['9.9.9.9']],
  ['the same network', annsNetwork, ['192.168.1.7', '9.9.9.9']],
])('to a peer who is away, from %s, what it may try is sent for its return', async (_, from, expected) => {
  const { url, disconnected } = await hubForTest()
  const { eve, ann, session } = await meet([url, url], { from }, { from: annsNetwork })
  await ann.cut()
  await disconnected(ann.id)
  for (const address of ['192.168.1.7', '127.0.0.1', '9.9.9.9'])
    expect(await eve.invoke('HandleIceCandidate', session, ann.id, textOf(at(address)))).toBeNull()
  const back = await RawClient.connect(url, 'ann', `from=${annsNetwork}`)
  await back.event('OnIceCandidate', expected.length)
  await back.settled()
  const received = back.events('OnIceCandidate').map(([, data]) => data)
  expect(received).toEqual(expected.map((address) => textOf(at(address))))
})

test('after a change of its network, a connection counts as one of the new network', async () => {
  const { url } = await hubForTest()
  const { eve, reachAnn } = await meet([url, url], { from: annsNetwork }, { from: annsNetwork })
  const moved = await eve.reattach(eve.invoked + 1, eve.address.replace(annsNetwork, evesNetwork))
  expect(await reachAnn([at('192.168.1.7')], moved)).toEqual([])
})

test('a user makes the peer’s browser try 40 addresses, and one more a second', async () => {
  const { url, clock } = await hubForTest()
  const { reachAnn } = await meet([url, url], { from: evesNetwork }, { from: annsNetwork })
  const many = Array.from({ length: 60 }, (_, index) => at('9.9.9.9', 40_000 + index))
  expect(await reachAnn(many)).toHaveLength(40)
  clock.advance(3_000)
  expect(await reachAnn(many)).toHaveLength(3)
})

test('the networks of users on two servers are known', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const { first, second } = await startHubs(2, redis)
  const { eve, reachAnn } = await meet([first.url, second.url], { from: annsNetwork }, { from: annsNetwork })
  expect(await reachAnn([at('192.168.1.7')])).toEqual(['192.168.1.7'])
  const moved = await eve.reattach(eve.invoked + 1, eve.address.replace(annsNetwork, evesNetwork))
  expect(await reachAnn(chosen, moved)).toEqual([])
})
