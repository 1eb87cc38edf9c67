import { expect, test } from 'vitest'
import { hubErrorCode } from '#protocol/hub.ts'
import { matchedPair } from '../../support/hub/hub-client.ts'
import { hubForTest, hubWithRates, officialClient } from '../../support/hub/hub-test.ts'

test('the peer is told that the user types, and nobody else', async () => {
  const { url, connect } = await hubForTest()
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  const stranger = await connect('eve')
  expect(await caller.invoke('HandleTyping', session, callee.id)).toBeNull()
  expect(await callee.event('OnPeerTyping')).toEqual([session])
  await Promise.all([caller.settled(), stranger.settled()])
  expect([caller.events('OnPeerTyping'), stranger.events('OnPeerTyping')]).toEqual([[], []])
})

test('outside of a match, for a match of others and after its end it is refused', async () => {
  const { url, connect } = await hubForTest()
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  const stranger = await connect('eve')
  expect(await stranger.invoke('HandleTyping', session, callee.id)).toMatch(/^not-in-match: /)
  expect(await caller.invoke('HandleTyping', session, stranger.id)).toMatch(/^not-in-match: /)
  expect(await caller.invokeAny('HandleTyping', session)).toMatch(/^bad-request: /)
  await caller.invoke('OnMatchedSessionTerminationRequested', session, caller.id)
  expect(await caller.invoke('HandleTyping', session, callee.id)).toMatch(/^not-in-match: /)
  await callee.settled()
  expect(callee.events('OnPeerTyping')).toEqual([])
})

test('a peer who is away does not find it on coming back', async () => {
  const { url, connect, cut } = await hubForTest()
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  await cut(callee)
  expect(await caller.invoke('HandleTyping', session, callee.id)).toBeNull()
  const back = await connect(callee.account)
  await back.settled()
  expect(back.events('OnPeerTyping')).toEqual([])
})

test('it has a rate limit of its own', async () => {
  const { url } = await hubWithRates({ typing: { perSecond: 1, burst: 2 } })
  const { caller, callee, session } = await matchedPair(url, 'ann', 'bob')
  const typed = () => caller.invoke('HandleTyping', session, callee.id)
  expect([await typed(), await typed()]).toEqual([null, null])
  expect(await typed()).toMatch(/^too-many-requests: /)
  expect(await caller.invokeAny('SendChatMessageToPeer', session, callee.id, 'x')).toBeNull()
})

test('a page of an earlier version ignores the event, and a server of one refuses the method by a code', async () => {
  const { url, connect } = await hubForTest()
  const [old, ann] = [officialClient(url, 'old'), await connect('ann')]
  await old.start()
  await old.invoke('InitiateMatchingWithPeers', old.connectionId, '[]')
  await ann.join()
  const { session, peer } = await ann.matched()
  expect(await ann.invoke('HandleTyping', session, peer)).toBeNull()
  await old.invoke('SendChatMessageToPeer', session, ann.id, 'still here', 'm-1')
  expect(await ann.event('OnChatMessage')).toEqual([session, 'still here', 'm-1'])
  const refusal: unknown = await old.invoke('HandleTypingOfTheFuture', session).catch((error: unknown) => error)
  expect(refusal instanceof Error && hubErrorCode(refusal.message)).toBe('not-found')
})
