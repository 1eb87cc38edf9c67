import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { PeerStatus } from '#protocol/peer.ts'
import { framesDecoded, openCamera, openPair, type Reported } from './peers.ts'

const accepts = { picture: true, maxKbps: 900, maxFrameRate: 30, shortSide: 480, soundKbps: 32 }
const slow: PeerStatus = { noPicture: 'network', stills: false, accepts }
const chosen: PeerStatus = { noPicture: 'choice', stills: false, accepts: { ...accepts, picture: false } }

let local: MediaStream
beforeAll(async () => {
  local = await openCamera()
})
afterAll(() => {
  for (const track of local.getTracks()) track.stop()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const heard = (reported: Reported[]) => reported.flatMap((event) => (event.type === 'peer-status' ? event.status : []))
const faults = (reported: Reported[]) => reported.filter(({ type }) => type === 'fault')

/** Collects the data channels that are opened from now on. */
function watchChannels(): RTCDataChannel[] {
  const opened: RTCDataChannel[] = []
  const open = RTCPeerConnection.prototype.createDataChannel
  vi.spyOn(RTCPeerConnection.prototype, 'createDataChannel').mockImplementation(function (
    this: RTCPeerConnection,
    ...given
  ) {
    const channel = open.apply(this, given)
    opened.push(channel)
    return channel
  })
  return opened
}

test('each side hears what the other said before the call and in it, the latest of it', async () => {
  const { caller, callee } = openPair(local)
  caller.peer.tell(chosen)
  caller.peer.tell(slow)
  await expect.poll(() => heard(callee.reported)).toEqual([slow])
  callee.peer.tell(chosen)
  await expect.poll(() => heard(caller.reported)).toEqual([chosen])
  caller.peer.tell(chosen)
  await expect.poll(() => heard(callee.reported)).toEqual([slow, chosen])
  caller.peer.close()
  callee.peer.close()
})

test('messages of a hostile peer are one fault, and the call and its status go on', async () => {
  const channels = watchChannels()
  const { caller, callee } = openPair(local)
  const hostile = channels.filter(({ readyState }) => readyState !== 'closed')
  callee.peer.tell(slow)
  await expect.poll(() => heard(caller.reported)).toEqual([slow])
  for (const channel of hostile)
    if (channel.readyState === 'open') {
      channel.send('{')
      channel.send(new Uint8Array(10_000))
      channel.send('x'.repeat(60_000))
      for (let times = 0; times < 500; times += 1) channel.send('[]')
      channel.send('{"noPicture":null}')
      channel.send(JSON.stringify({ noPicture: null, accepts: { ...accepts, maxKbps: -1 } }))
      channel.send(JSON.stringify({ noPicture: null, accepts }).replace('900', '1e400'))
    }
  callee.peer.tell(chosen)
  await expect.poll(() => heard(caller.reported)).toEqual([slow, chosen])
  expect(faults(caller.reported)).toHaveLength(1)
  expect(faults(caller.reported)[0]).toMatchObject({ message: expect.stringContaining("The peer's status") })
  const before = await framesDecoded(caller.connection)
  await expect.poll(() => framesDecoded(caller.connection)).toBeGreaterThan(before)
  caller.peer.close()
  callee.peer.close()
})

test('a peer that says something else all the time is heard, and the call goes on', async () => {
  const { caller, callee } = openPair(local)
  callee.peer.tell(slow)
  await expect.poll(() => heard(caller.reported)).toEqual([slow])
  for (let times = 0; times < 2_000; times += 1) callee.peer.tell(times % 2 === 0 ? chosen : slow)
  await expect.poll(() => heard(caller.reported).length).toBe(2_001)
  const before = await framesDecoded(caller.connection)
  await expect.poll(() => framesDecoded(caller.connection)).toBeGreaterThan(before)
  expect(faults(caller.reported)).toEqual([])
  caller.peer.close()
  callee.peer.close()
})

test('a closed side neither says anything more nor listens', async () => {
  const channels = watchChannels()
  const { caller, callee } = openPair(local)
  callee.peer.tell(slow)
  await expect.poll(() => heard(caller.reported)).toEqual([slow])
  caller.peer.close()
  callee.peer.close()
  callee.peer.tell(chosen)
  expect(channels.map(({ onopen, onmessage }) => [onopen, onmessage])).toEqual(channels.map(() => [null, null]))
  for (const channel of channels) await expect.poll(() => channel.readyState).toBe('closed')
  expect(heard(caller.reported)).toEqual([slow])
})

test('a peer of an earlier version, which has no channel, is called as before', async () => {
  const { caller, callee } = openPair(local, (signals) =>
    signals.map((signal) =>
      signal.type === 'description' ? { ...signal, data: withoutChannel(signal.data) } : signal,
    ),
  )
  caller.peer.tell(slow)
  await expect.poll(() => framesDecoded(caller.connection)).toBeGreaterThan(2)
  await expect.poll(() => framesDecoded(callee.connection)).toBeGreaterThan(2)
  expect([...faults(caller.reported), ...faults(callee.reported)]).toEqual([])
  caller.peer.close()
  callee.peer.close()
})

/** A description whose channel is refused. */
function withoutChannel(data: string): string {
  return data.replace('m=application 9', 'm=application 0')
}
