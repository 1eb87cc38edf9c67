import { HubConnectionState } from '@microsoft/signalr'
import { expect, test } from 'vitest'
import { hubErrorCode } from '#protocol/hub.ts'
import { tokenOf } from '../../support/hub/hub-fakes.ts'
import { hubForTest, officialClient, officialClientWith } from '../../support/hub/hub-test.ts'

type Client = ReturnType<typeof officialClient>

/** The arguments of the next event of this name. */
function next(client: Client, event: string): Promise<unknown[]> {
  return new Promise((resolve) => client.on(event, (...args: unknown[]) => resolve(args)))
}

function closed(client: Client): Promise<Error | undefined> {
  return new Promise((resolve) => client.onclose(resolve))
}

async function started(url: string, account: string): Promise<Client> {
  const client = officialClient(url, account)
  await client.start()
  return client
}

async function officialPair(url: string) {
  const [caller, callee] = [await started(url, 'ann'), await started(url, 'bob')]
  const [calls, answers] = [next(caller, 'OnUserMatched'), next(callee, 'OnUserMatched')]
  await caller.invoke('InitiateMatchingWithPeers', caller.connectionId, '[]')
  await callee.invoke('InitiateMatchingWithPeers', callee.connectionId, '[]')
  const [, session, calleeId] = await calls
  expect(await answers).toEqual(['Callee', session, caller.connectionId])
  expect(calleeId).toBe(callee.connectionId)
  return { caller, callee, session }
}

test('it connects, receives its id, and stops', async () => {
  const { url } = await hubForTest()
  const client = officialClient(url, 'ann')
  const notified = next(client, 'OnUserConnected')
  await client.start()
  expect(await notified).toEqual([client.connectionId])
  const end = closed(client)
  await client.stop()
  expect(await end).toBeUndefined()
})

test('a bad token rejects the start', async () => {
  const { url } = await hubForTest()
  await expect(officialClient(url, 'nobody').start()).rejects.toThrow(/401/)
})

test('12: an error in the response of negotiate rejects the start', async () => {
  const { url } = await hubForTest()
  const client = officialClientWith(`${url}?negotiateVersion=none`, () => tokenOf('ann'))
  await expect(client.start()).rejects.toThrow(/no whole number/)
})

test('47: emoji, quotes and an escaped U+001E survive', async () => {
  const { url } = await hubForTest()
  const { caller, callee, session } = await officialPair(url)
  const text = 'Grüße 👩‍👩‍👧 "quoted" \u001e\u0000 \\u001e ﷽'
  const arrived = next(callee, 'OnChatMessage')
  await caller.invoke('SendChatMessageToPeer', session, callee.connectionId, text, 'm-1')
  expect(await arrived).toEqual([session, text, 'm-1'])
})

test('an optional argument that is undefined is left out', async () => {
  const { url } = await hubForTest()
  const { caller, callee, session } = await officialPair(url)
  const arrived = next(callee, 'OnChatMessage')
  await caller.invoke('SendChatMessageToPeer', session, callee.connectionId, 'hi', undefined)
  expect(await arrived).toEqual([session, 'hi'])
})

test('a refusal carries its code', async () => {
  const { url } = await hubForTest()
  const client = await started(url, 'ann')
  const refused: unknown = await client.invoke('UpdateWebRtcConnectionSuccessStatus', 's-1').catch((error) => error)
  expect(refused instanceof Error && hubErrorCode(refused.message)).toBe('not-in-match')
})

test('52: a replaced connection receives the reason, cannot re-attach and does not retry', async () => {
  const { url } = await hubForTest()
  const older = await started(url, 'ann')
  const end = closed(older)
  await started(url, 'ann')
  const error = await end
  expect(error && hubErrorCode(error.message)).toBe('replaced')
  expect(older.state).toBe(HubConnectionState.Disconnected)
})

test('53: a server that drains makes its clients reconnect', async () => {
  const { url, hub } = await hubForTest()
  const client = await started(url, 'ann')
  const reconnecting = new Promise((resolve) => client.onreconnecting(resolve))
  await hub.drain()
  await reconnecting
})

test('a client whose network broke reconnects by itself and resumes its match', async () => {
  const { url, clock } = await hubForTest()
  const { caller, callee, session } = await officialPair(url)
  await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  const before = caller.connectionId
  const back = new Promise((resolve) => caller.onreconnected(resolve))
  // A broken network is silent; the callee pings.
  clock.advance(16_000)
  await callee.invoke('SendChatMessageToPeer', session, before, 'are you there?')
  clock.advance(15_000)
  await back
  expect(caller.connectionId).not.toBe(before)
  const arrived = next(caller, 'OnChatMessage')
  await callee.invoke('SendChatMessageToPeer', session, before, 'welcome back')
  expect(await arrived).toEqual([session, 'welcome back'])
})

test('stopping ends the match at once', async () => {
  const { url } = await hubForTest()
  const { caller, callee, session } = await officialPair(url)
  const notified = next(callee, 'SessionTerminated')
  await caller.stop()
  expect(await notified).toEqual([session])
})
