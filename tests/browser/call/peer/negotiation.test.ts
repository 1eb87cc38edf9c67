import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  bothSeePictures,
  closeBoth,
  deliver,
  openCamera,
  openPair,
  openSide,
  story,
  userNameFragment,
} from './peers.ts'

let local: MediaStream

beforeAll(async () => {
  local = await openCamera()
})
afterAll(() => {
  for (const track of local.getTracks()) track.stop()
})
afterEach(() => vi.restoreAllMocks())

test('an ICE restart is not disturbed by a measurement of the network while its answer is under way', async () => {
  const held: Parameters<typeof deliver>[0][] = []
  let isHolding = false
  const caller = openSide('Caller', local, (signal) => deliver(signal, callee.peer))
  const callee = openSide('Callee', local, (signal) => {
    if (isHolding) held.push(signal)
    else deliver(signal, caller.peer)
  })
  const pair = { caller, callee }
  // Before there is anything to negotiate again.
  for (const { peer } of [caller, callee]) peer.measure()
  await bothSeePictures(pair)
  isHolding = true
  caller.peer.restartIce()
  await expect.poll(() => held.some(({ type }) => type === 'description')).toBe(true)
  caller.peer.measure()
  for (const signal of held) deliver(signal, caller.peer)
  await expect
    .poll(() => userNameFragment(caller.connection.currentRemoteDescription))
    .toBe(userNameFragment(callee.connection.currentLocalDescription))
  await bothSeePictures(pair)
  expect([...story(caller), ...story(callee)].filter((word) => word.startsWith('fault'))).toEqual([])
  closeBoth(pair)
})

test.each(['caller', 'callee'] as const)(
  'a %s whose own new negotiation fails half-way can still restart ICE',
  async (name) => {
    const pair = openPair(local)
    await bothSeePictures(pair)
    const { peer, connection, reported } = pair[name]
    // The last step of each role.
    const step = name === 'caller' ? 'setRemoteDescription' : 'setLocalDescription'
    let isRefusing = true
    const set: (description: RTCSessionDescriptionInit) => Promise<void> = connection[step].bind(connection)
    const refuseAnswer = async (description: RTCSessionDescriptionInit) => {
      if (isRefusing && description.type === 'answer') throw new DOMException('Not now', 'OperationError')
      await set(description)
    }
    Object.defineProperty(connection, step, { value: refuseAnswer })
    peer.measure()
    await expect.poll(() => reported.filter(({ type }) => type === 'fault')).toHaveLength(1)
    isRefusing = false
    const before = userNameFragment(pair.caller.connection.currentRemoteDescription)
    pair.caller.peer.restartIce()
    await expect.poll(() => userNameFragment(pair.caller.connection.currentRemoteDescription)).not.toBe(before)
    await bothSeePictures(pair)
    closeBoth(pair)
  },
)

test('the Caller answers no offer: both would wait for an answer', async () => {
  const pair = openPair(local)
  await bothSeePictures(pair)
  const before = userNameFragment(pair.caller.connection.currentRemoteDescription)
  const hostile = openSide('Caller', local, (signal) => deliver(signal, pair.caller.peer))
  await expect.poll(() => story(hostile)).toContain('offer')
  pair.caller.peer.restartIce()
  await expect.poll(() => story(pair.callee).filter((word) => word === 'answer').length).toBe(2)
  await bothSeePictures(pair)
  expect(story(pair.caller)).not.toContain('answer')
  expect(userNameFragment(pair.caller.connection.currentRemoteDescription)).not.toBe(before)
  closeBoth(pair)
  hostile.peer.close()
})

test('a browser that refuses the protection of sound calls without it, and the peer reads what was set', async () => {
  const setLocal: (this: RTCPeerConnection, description?: RTCLocalSessionDescriptionInit) => Promise<void> =
    RTCPeerConnection.prototype.setLocalDescription
  const refused = vi.fn()
  vi.spyOn(RTCPeerConnection.prototype, 'setLocalDescription').mockImplementation(async function (
    this: RTCPeerConnection,
    description?: RTCLocalSessionDescriptionInit,
  ) {
    if (isSoundProtected(description?.sdp)) {
      refused()
      throw new DOMException('Not your own', 'InvalidModificationError')
    }
    await setLocal.call(this, description)
  })
  const pair = openPair(local)
  await bothSeePictures(pair)
  expect(refused).toHaveBeenCalled()
  for (const { connection, reported } of [pair.caller, pair.callee]) {
    expect(isSoundProtected(connection.remoteDescription?.sdp)).toBe(false)
    expect(reported.filter(({ type }) => type === 'fault')).toEqual([])
  }
  closeBoth(pair)
})

/** Whether a description asks for lost packets of sound to be sent again. */
function isSoundProtected(sdp = ''): boolean {
  return /^a=rtcp-fb:\d+ nack\r$/m.test(sdp.split('m=video')[0] ?? '')
}

/** The names of the codecs to which a description gives the start bitrate. */
function startedCodecs(description: RTCSessionDescription | null): (string | undefined)[] {
  const sdp = description?.sdp ?? ''
  const names = new Map([...sdp.matchAll(/^a=rtpmap:(\d+) ([\w-]+)/gm)].map(([, type, name]) => [type, name]))
  const types = [...sdp.matchAll(/^a=fmtp:(\d+) .*x-google-start-bitrate/gm)].map(([, type]) => names.get(type))
  return [...new Set(types)]
}

test('where two devices prefer different codecs, the start bitrate is that of the codec that is sent', async () => {
  const wanted = (mimeType: string) =>
    (RTCRtpReceiver.getCapabilities('video')?.codecs ?? []).toSorted(
      (one, other) => Number(other.mimeType === mimeType) - Number(one.mimeType === mimeType),
    )
  const caller = openSide('Caller', local, (signal) => deliver(signal, callee.peer), wanted('video/VP9'))
  const callee = openSide('Callee', local, (signal) => deliver(signal, caller.peer), wanted('video/H264'))
  const pair = { caller, callee }
  await bothSeePictures(pair)
  for (const { connection } of [caller, callee])
    expect(startedCodecs(connection.currentRemoteDescription)).toEqual(['H264'])
  closeBoth(pair)
})
