import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { negotiate, RawClient, upgradeStatus } from '../../support/hub/hub-client.ts'
import { tokenOf } from '../../support/hub/hub-fakes.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'

const SDP = 'm=audio 9\r\nm=video 9\r\n'
const offer = JSON.stringify({ type: 'offer', sdp: SDP })
const answer = JSON.stringify({ type: 'answer', sdp: SDP })
const candidate = JSON.stringify({ candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host', sdpMid: '0' })

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** Returns two matched users on two servers. */
async function matchAcrossServers() {
  const fleet = await startHubs(2, redis)
  const ann = await RawClient.connect(fleet.first.url, 'ann', 'visit=a')
  const bob = await RawClient.connect(fleet.second.url, 'bob', 'visit=b')
  expect(await ann.join()).toBeNull()
  expect(await bob.join()).toBeNull()
  const match = await ann.matched()
  expect((await bob.matched()).session).toBe(match.session)
  const [caller, callee] = match.role === 'Caller' ? [ann, bob] : [bob, ann]
  const urlOf = (client: RawClient) => (client === ann ? fleet.first.url : fleet.second.url)
  const otherUrlOf = (client: RawClient) => (client === ann ? fleet.second.url : fleet.first.url)
  return { ...fleet, ann, bob, caller, callee, session: match.session, urlOf, otherUrlOf }
}

describe('two users on two servers', () => {
  test('meet, learn names, exchange offer, answer and candidates in order, type and chat', async () => {
    const { caller, callee, session } = await matchAcrossServers()
    expect(await caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, '', '')).toBeNull()
    expect((await callee.event('OnPeerNickNameAndEmailIdReceived'))[0]).toBe(`Nick ${caller.account.toUpperCase()}`)
    expect(await caller.invoke('HandleOffer', session, callee.id, offer)).toBeNull()
    expect(await callee.event('OnOfferReceived')).toEqual([session, offer])
    expect(await callee.invoke('HandleAnswer', session, caller.id, answer)).toBeNull()
    expect(await caller.event('OnAnswerReceived')).toEqual([session, answer])
    for (const [from, to] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      for (let index = 0; index < 20; index += 1)
        from.send({
          type: 1,
          target: 'HandleIceCandidate',
          arguments: [session, to.id, candidate.replace('candidate:1', `candidate:${index}`)],
        })
      await to.event('OnIceCandidate', 20)
      expect(to.events('OnIceCandidate').map(([, data]) => data)).toEqual(
        Array.from({ length: 20 }, (_, index) => candidate.replace('candidate:1', `candidate:${index}`)),
      )
    }
    expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
    expect(await callee.invoke('HandleTyping', session, caller.id)).toBeNull()
    expect(await caller.event('OnPeerTyping')).toEqual([session])
    expect(await caller.invoke('HandleTyping', session, callee.id)).toBeNull()
    expect(await callee.event('OnPeerTyping')).toEqual([session])
    expect(await callee.invoke('SendChatMessageToPeer', session, caller.id, 'hi', 'm-1')).toBeNull()
    expect(await caller.event('OnChatMessage')).toEqual([session, 'hi', 'm-1'])
    expect(await caller.invoke('SendChatMessageToPeer', session, callee.id, 'ho', 'm-2')).toBeNull()
    expect(await callee.event('OnChatMessage')).toEqual([session, 'ho', 'm-2'])
  })

  test('Next ends the match for the peer, and both can be matched again', async () => {
    const { caller, callee, session, first } = await matchAcrossServers()
    expect(await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)).toBeNull()
    expect(await callee.event('SessionTerminated')).toEqual([session])
    expect(await callee.invoke('SendChatMessageToPeer', session, caller.id, 'hi', 'm')).toMatch(/^not-in-match: /)
    expect(await callee.join()).toBeNull()
    const cat = await RawClient.connect(first.url, 'cat')
    expect(await cat.join()).toBeNull()
    const { session: next } = await callee.matched(2)
    expect((await cat.matched()).session).toBe(next)
    expect(await cat.invoke('SendChatMessageToPeer', next, callee.id, 'hi', 'm')).toBeNull()
  })

  test('the record of an ended match tells when it was answered', async () => {
    const { caller, callee, session, answeredAt } = await matchAcrossServers()
    const from = Date.now()
    await caller.invoke('HandleOffer', session, callee.id, offer)
    await callee.invoke('HandleAnswer', session, caller.id, answer)
    await caller.leave()
    await expect.poll(() => answeredAt.get(session)).toBeGreaterThanOrEqual(from)
  })

  test('Exit ends the match for the peer', async () => {
    const { caller, callee, session } = await matchAcrossServers()
    await caller.leave()
    expect(await callee.event('SessionTerminated')).toEqual([session])
  })

  test('a report ends the match for both, and the two never meet again', async () => {
    const { caller, callee, session, reports } = await matchAcrossServers()
    expect(await caller.invoke('HandleReportedUser', caller.id, callee.id, 'BlockAndReport')).toBeNull()
    expect(await caller.event('OnUserReportingSuccessful')).toEqual([session])
    expect(await callee.event('OnUserReportedByPeer')).toEqual([session])
    expect(await callee.event('SessionTerminated')).toEqual([session])
    expect(reports).toHaveLength(1)
  })

  test('an invocation that does not fit the match is refused, as on one server', async () => {
    const { caller, callee, session } = await matchAcrossServers()
    expect(await callee.invoke('HandleOffer', session, caller.id, offer)).toMatch(/^forbidden: /)
    expect(await callee.invoke('HandleIceCandidate', session, 'nobody', candidate)).toMatch(/^not-in-match: /)
    expect(await callee.invoke('HandleIceCandidate', session, caller.id, 'x')).toMatch(/^bad-request: /)
    expect(await caller.invokeAny('NoSuchMethod')).toMatch(/^not-found: /)
  })

  test('a user who lost the network resumes the match on any server and gets the messages sent meanwhile', async () => {
    for (const side of ['caller', 'callee'] as const) {
      const pair = await matchAcrossServers()
      const { session } = pair
      const [leaver, stayer] = side === 'caller' ? [pair.caller, pair.callee] : [pair.callee, pair.caller]
      await pair.caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
      await leaver.cut()
      await pair.disconnected(leaver.id)
      const said = stayer.invoke('SendChatMessageToPeer', session, leaver.id, 'are you there?', 'm-1')
      const back = await RawClient.connect(pair.otherUrlOf(leaver), leaver.account, `visit=${leaver.account[0]}`)
      expect(await back.event('OnChatMessage')).toEqual([session, 'are you there?', 'm-1'])
      expect(await said).toBeNull()
      expect(await back.invoke('SendChatMessageToPeer', session, stayer.id, 'yes', 'm-2')).toBeNull()
      expect(await stayer.event('OnChatMessage')).toEqual([session, 'yes', 'm-2'])
    }
  })

  test('another page on another server replaces the first, and its match ends', async () => {
    const { ann, bob, second, session } = await matchAcrossServers()
    const page = await RawClient.connect(second.url, 'ann', 'visit=another')
    expect(await ann.close()).toEqual({ type: 7, error: 'replaced' })
    expect(await bob.event('SessionTerminated')).toEqual([session])
    expect(await page.join()).toBeNull()
  })

  test('a suspension disconnects the user from every server, a logout one login session only', async () => {
    const { ann, bob, first, second, session } = await matchAcrossServers()
    first.hub.disconnect('bob')
    expect(await bob.close()).toEqual({ type: 7, error: 'blocked' })
    expect(await ann.event('SessionTerminated')).toEqual([session])
    second.hub.logOut({ accountId: 'ann', sessionId: 'another-session' })
    await ann.settled()
    second.hub.logOut({ accountId: 'ann', sessionId: 'session-ann' })
    expect(await ann.close()).toEqual({ type: 7, error: 'login-required' })
  })
})

test('a token negotiated on one server opens one socket on another', async () => {
  const { first, second } = await startHubs(2, redis)
  const { body } = await negotiate(first.url, 'ann')
  const address = `${second.url}?id=${body.connectionToken}&access_token=${tokenOf('ann')}`
  const client = await RawClient.dial(address, 'ann')
  client.send({ protocol: 'json', version: 1 })
  expect(await client.event('OnUserConnected')).toEqual([body.connectionId])
  await client.leave()
  expect(await upgradeStatus(address)).toBe(404)
  expect(await upgradeStatus(address.replace(second.url, first.url))).toBe(404)
})
