import { describe, expect, test } from 'vitest'
import { matchedPair, RawClient } from '../../support/hub/hub-client.ts'
import { RELAX_AFTER_MS } from '../../support/hub/hub-fakes.ts'
import { hubForTest } from '../../support/hub/hub-test.ts'

const SDP = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n'
const offer = JSON.stringify({ type: 'offer', sdp: SDP })
const answer = JSON.stringify({ type: 'answer', sdp: SDP })
const candidate = JSON.stringify({
  candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host',
  sdpMid: '0',
  sdpMLineIndex: 0,
})

async function world() {
  const hub = await hubForTest()
  const pair = await matchedPair(hub.url, 'ann', 'bob')
  const stranger = await hub.connect('eve')
  return { ...hub, ...pair, stranger }
}

/** The events that a client received, without its own connection and match. */
async function toldTo(client: RawClient): Promise<unknown[]> {
  await client.settled()
  const targets = client.messages.flatMap((message) => ('target' in message ? [message.target] : []))
  const always = ['OnUserConnected', 'OnQueueSize', 'OnUserMatched']
  return targets.filter((target) => !always.includes(String(target)))
}

describe('a match', () => {
  test('it is announced to both, written before that, and recorded as met', async () => {
    const { caller, callee, session, live, met } = await world()
    expect(await caller.matched()).toEqual({ role: 'Caller', session, peer: callee.id })
    expect(await callee.matched()).toEqual({ role: 'Callee', session, peer: caller.id })
    expect(live.get(session)).toMatchObject({ caller: caller.account, callee: callee.account, connected: false })
    expect(met).toEqual([[caller.account, callee.account]])
  })

  test('names are the server’s own, ids are aliases', async () => {
    const { caller, callee } = await world()
    const introduce = 'HandleUserNickNameAndUserEmailIdToPeer'
    expect(await caller.invoke(introduce, callee.id, 'Somebody Else', 'else@example.org')).toBeNull()
    const alias = `alias-${caller.account}-for-${callee.account}`
    const expected = [`Nick ${caller.account.toUpperCase()}`, alias, alias]
    expect(await callee.event('OnPeerNickNameAndEmailIdReceived')).toEqual(expected)
    expect(JSON.stringify(callee.messages)).not.toContain('example.org')
  })

  test('offer, answer and candidates reach the peer as they are', async () => {
    const { caller, callee, session } = await world()
    expect(await caller.invoke('HandleOffer', session, callee.id, offer)).toBeNull()
    expect(await callee.invoke('HandleAnswer', session, caller.id, answer)).toBeNull()
    expect(await callee.invoke('HandleIceCandidate', session, caller.id, candidate)).toBeNull()
    expect(await callee.event('OnOfferReceived')).toEqual([session, offer])
    expect(await caller.event('OnAnswerReceived')).toEqual([session, answer])
    expect(await caller.event('OnIceCandidate')).toEqual([session, candidate])
  })

  test('recording the pair as met takes the alias of the peer or the match, and nothing else', async () => {
    const { caller, callee, session, met } = await world()
    const alias = `alias-${callee.account}-for-${caller.account}`
    expect(await caller.invoke('HandleMatchedEmailIds', 'me@example.org', alias)).toBeNull()
    expect(await callee.invoke('HandleMatchedEmailIds', null, session)).toBeNull()
    expect(met).toHaveLength(3)
    expect(await caller.invoke('HandleMatchedEmailIds', null, 'alias-eve')).toMatch(/^not-in-match: /)
    expect(met).toHaveLength(3)
  })
})

describe('authority', () => {
  test('a forged session, peer or own connection is refused and no event is sent', async () => {
    const { caller, callee, session, stranger, live } = await world()
    const forged = [
      caller.invoke('HandleOffer', 'other-session', callee.id, offer),
      caller.invoke('HandleOffer', session, stranger.id, offer),
      caller.invoke('HandleOffer', session, caller.id, offer),
      caller.invoke('HandleUserNickNameAndUserEmailIdToPeer', stranger.id, null, null),
      caller.invokeAny('SendChatMessageToPeer', session, stranger.id, 'hi'),
      caller.invoke('HandleIceCandidate', session, 'unknown', candidate),
      caller.invoke('OnMatchedSessionTerminationRequested', session, callee.id),
      caller.invoke('HandleReportedUser', callee.id, caller.id, 'ReportOnly'),
      caller.invoke('HandleReportedUser', caller.id, stranger.id, 'ReportOnly'),
      caller.invoke('HandleReportedUser', stranger.id, callee.id, 'ReportOnly'),
      stranger.invokeAny('SendChatMessageToPeer', session, callee.id, 'hi'),
      stranger.invoke('HandleIceCandidate', session, callee.id, candidate),
      stranger.invoke('UpdateWebRtcConnectionSuccessStatus', session),
      stranger.invoke('OnMatchedSessionTerminationRequested', session, stranger.id),
      stranger.invoke('HandleReportedUser', stranger.id, callee.id, 'BlockAndReport'),
      stranger.invoke('HandleReportedUser', stranger.id, callee.id, 'ReportOnly', session),
      caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly', 'other-session'),
      stranger.invoke('HandleUserNickNameAndUserEmailIdToPeer', callee.id, null, null),
    ]
    for (const error of await Promise.all(forged)) expect(error).toMatch(/^not-in-match: /)
    for (const client of [caller, callee, stranger]) expect(await toldTo(client)).toEqual([])
    expect(live.get(session)?.connected).toBe(false)
  })

  test('only the Caller offers, only the Callee answers, both confirm, and the confirmation of the Caller connects the match', async () => {
    const { caller, callee, session, live } = await world()
    expect(await callee.invoke('HandleOffer', session, caller.id, offer)).toMatch(/^forbidden: /)
    expect(await caller.invoke('HandleAnswer', session, callee.id, answer)).toMatch(/^forbidden: /)
    expect(await callee.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
    expect(live.get(session)?.connected).toBe(false)
    expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
    expect(live.get(session)?.connected).toBe(true)
    expect([await toldTo(caller), await toldTo(callee)]).toEqual([[], []])
  })

  test.each([
    ['no JSON', 'nonsense', 'bad-request'],
    ['an answer', answer, 'bad-request'],
    ['no SDP', JSON.stringify({ type: 'offer' }), 'bad-request'],
    ['no video', JSON.stringify({ type: 'offer', sdp: 'm=audio 9 x\r\n' }), 'offer-incomplete'],
    ['no audio', JSON.stringify({ type: 'offer', sdp: 'm=video 9 x\r\n' }), 'offer-incomplete'],
  ])('an offer that is %s is refused', async (_name, data, code) => {
    const { caller, callee, session } = await world()
    expect(await caller.invoke('HandleOffer', session, callee.id, data)).toMatch(new RegExp(`^${code}: `))
    expect(await toldTo(callee)).toEqual([])
  })

  test('arguments of another shape are refused', async () => {
    const { caller, callee, session } = await world()
    const refused = [
      caller.invokeAny('HandleOffer', session),
      caller.invokeAny('HandleOffer', session, callee.id, { type: 'offer', sdp: SDP }),
      caller.invokeAny('HandleIceCandidate', session, callee.id, '{"candidate":1}'),
      caller.invokeAny('HandleReportedUser', caller.id, callee.id, 'Whatever'),
      caller.invokeAny('InitiateMatchingWithPeers', caller.id, 'no list'),
      caller.invokeAny('InitiateMatchingWithPeers', caller.id, JSON.stringify(Array(1_001).fill('x'))),
      caller.invokeAny('SendChatMessageToPeer', session, callee.id, ''),
      caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'x', 'no id!'),
      caller.invokeAny('SendChatMessageToPeer', session, callee.id, 5),
    ]
    for (const error of await Promise.all(refused)) expect(error).toMatch(/^bad-request: /)
    expect(await toldTo(callee)).toEqual([])
  })

  test('a chat message has at most 2,000 characters, encoded or not', async () => {
    const { caller, callee, session } = await world()
    const sendChat = (text: string) => caller.invokeAny('SendChatMessageToPeer', session, callee.id, text)
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    expect(await sendChat('x'.repeat(2_000))).toBeNull()
    expect(await sendChat(encoded('ﷺ'.repeat(2_000)))).toBeNull()
    expect(await sendChat(`${'x'.repeat(2_000)} `)).toMatch(/^too-large: /)
    expect(await sendChat(encoded('x'.repeat(2_001)))).toMatch(/^too-large: /)
    expect(await toldTo(callee)).toEqual(['OnChatMessage', 'OnChatMessage'])
  })

  test('a message to a user who has dropped waits; the user’s earlier connection id stays valid', async () => {
    const { url, cut, caller, callee, session } = await world()
    const sendChat = (text: string) => caller.invokeAny('SendChatMessageToPeer', session, callee.id, text)
    await cut(callee)
    const sent = [sendChat('hi'), sendChat('are you there?')]
    await caller.settled()
    const back = await RawClient.connect(url, callee.account)
    expect(await Promise.all(sent)).toEqual([null, null])
    await back.settled()
    expect(back.events('OnChatMessage')).toEqual([
      [session, 'hi'],
      [session, 'are you there?'],
    ])
    expect(await back.invokeAny('SendChatMessageToPeer', session, caller.id, 'hello again')).toBeNull()
  })
})

describe('ends', () => {
  test('termination notifies the other user alone; repeating it does nothing', async () => {
    const { caller, callee, session, live } = await world()
    expect(await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)).toBeNull()
    expect(await callee.event('SessionTerminated')).toEqual([session])
    expect(await callee.invoke('OnMatchedSessionTerminationRequested', session, callee.id)).toBeNull()
    expect(await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)).toBeNull()
    expect(await toldTo(caller)).toEqual([])
    expect(await toldTo(callee)).toEqual(['SessionTerminated'])
    expect(live.size).toBe(0)
    expect(await caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'hi')).toMatch(/^not-in-match: /)
  })

  test.each(['ReportOnly', 'BlockAndReport'] as const)(
    'a report (%s) tells both and ends the session',
    async (type) => {
      const { caller, callee, session, reports, blocks } = await world()
      expect(await caller.invoke('HandleReportedUser', caller.id, callee.id, type)).toBeNull()
      expect(await toldTo(caller)).toEqual(['OnUserReportingSuccessful', 'SessionTerminated'])
      expect(await toldTo(callee)).toEqual(['OnUserReportedByPeer', 'SessionTerminated'])
      expect(reports).toEqual([
        {
          session,
          reporter: caller.account,
          reported: callee.account,
          type,
          callMs: null,
          reporterSaw: false,
          reportedSaw: false,
          at: expect.any(Number),
        },
      ])
      expect(blocks).toEqual([[caller.account, callee.account]])
      expect(await caller.invoke('HandleReportedUser', caller.id, callee.id, type)).toMatch(/^wrong-state: /)
      expect(reports).toHaveLength(1)
    },
  )

  test('a report says which of the two saw the other', async () => {
    const { caller, callee, session, reports } = await world()
    await callee.invoke('UpdateWebRtcConnectionSuccessStatus', session)
    await caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly')
    await callee.invoke('HandleReportedUser', callee.id, caller.id, 'ReportOnly')
    expect(reports).toMatchObject([
      { reporter: caller.account, reporterSaw: false, reportedSaw: true },
      { reporter: callee.account, reporterSaw: true, reportedSaw: false },
    ])
  })

  test('after the end of a match each can still report the other', async () => {
    const { caller, callee, session, reports, clock } = await world()
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    expect(await callee.invoke('HandleReportedUser', callee.id, caller.id, 'BlockAndReport')).toBeNull()
    expect(await caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly')).toBeNull()
    expect(reports.map(({ reporter }) => reporter)).toEqual([callee.account, caller.account])
    for (let passed = 0; passed < 60; passed += 20) {
      clock.advance(20_000)
      caller.send({ type: 6 })
      await caller.settled()
    }
    expect(await caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly')).toMatch(/^not-in-match: /)
  })

  test('of two matches with the same user the current one is reported', async () => {
    const { caller, callee, session, reports, clock } = await world()
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    await Promise.all([caller.join(), callee.join()])
    clock.advance(RELAX_AFTER_MS)
    await caller.settled()
    const again = caller.events('OnUserMatched')[1]?.[1]
    expect(again).not.toBe(session)
    expect(await callee.invoke('HandleReportedUser', callee.id, caller.id, 'ReportOnly')).toBeNull()
    expect(await caller.event('OnUserReportedByPeer')).toEqual([again])
    expect(reports.map((report) => report.session)).toEqual([again])
  })

  test('a report whose result was lost can be repeated once, and then ends the match', async () => {
    const { caller, callee, session, reports, judged, faults } = await world()
    faults.add('report')
    const report = () => caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly')
    expect(await report()).not.toBeNull()
    expect(await toldTo(callee)).toEqual([])
    faults.delete('report')
    expect(await report()).toBeNull()
    expect(await toldTo(callee)).toEqual(['OnUserReportedByPeer', 'SessionTerminated'])
    expect(reports.map((one) => one.session)).toEqual([session])
    expect(judged).toEqual([callee.account])
    expect(await report()).toMatch(/^wrong-state: /)
  })
})

describe('while the records cannot be reached', () => {
  test('a match connects, goes on and ends, and is written when they are back', async () => {
    const { caller, callee, session, live, faults, clock, logged } = await world()
    faults.add('connected').add('close')
    expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
    expect(await caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'hi')).toBeNull()
    expect(live.get(session)?.connected).toBe(false)
    faults.delete('connected')
    clock.advance(1_000)
    await caller.settled()
    expect(live.get(session)?.connected).toBe(true)

    expect(await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)).toBeNull()
    expect(await callee.event('SessionTerminated')).toEqual([session])
    for (const pause of [1_000, 2_000, 4_000]) {
      clock.advance(pause)
      await callee.settled()
      expect(live.has(session)).toBe(true)
    }
    faults.delete('close')
    clock.advance(8_000)
    await callee.settled()
    expect(live.has(session)).toBe(false)
    expect(logged).toEqual([])
  })

  test('a write that failed is tried once more when the server shuts down', async () => {
    const { caller, session, live, faults, stop } = await world()
    faults.add('close')
    await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
    await caller.settled()
    expect(live.has(session)).toBe(true)
    faults.delete('close')
    await stop()
    expect(live.has(session)).toBe(false)
  })
})
