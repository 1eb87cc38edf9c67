import { afterEach, expect, test, vi } from 'vitest'
import { readCallSample } from '../../../../src/call/peer/call-stats.ts'
import { preferredCodecs, redundantSoundFirst } from '../../../../src/call/peer/preferred-codecs.ts'
import { openCamera, openPair, soundPackets } from './peers.ts'

afterEach(() => vi.restoreAllMocks())

const known = () => RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
const namesOf = (codecs: readonly RTCRtpCodec[]) => codecs.map(({ mimeType }) => mimeType)
const described = (codecs: readonly RTCRtpCodec[]) => codecs.map((codec) => JSON.stringify(codec))

/** A machine with a hardware encoder for this codec. */
function withHardwareFor(name: string): void {
  vi.spyOn(navigator.mediaCapabilities, 'encodingInfo').mockImplementation(async (asked) => ({
    supported: true,
    smooth: true,
    powerEfficient: asked.video?.contentType.startsWith(name) ?? false,
  }))
}

test('no codec is left out or added, whichever comes first', async () => {
  for (const weakCpu of [false, true])
    expect(described(await preferredCodecs(weakCpu)).toSorted()).toEqual(described(known()).toSorted())
})

test('on a weak CPU H264 comes first, elsewhere the order is the browser’s', async () => {
  withHardwareFor('none')
  expect(namesOf(await preferredCodecs(true))[0]).toBe('video/H264')
  expect(described(await preferredCodecs(false))).toEqual(described(known()))
})

test('a codec that the hardware encodes comes before H264', async () => {
  withHardwareFor('video/VP9')
  for (const weakCpu of [false, true]) expect(namesOf(await preferredCodecs(weakCpu))[0]).toBe('video/VP9')
})

test('a browser without the query keeps its order', async () => {
  vi.spyOn(navigator.mediaCapabilities, 'encodingInfo').mockRejectedValue(new TypeError('webrtc is no type'))
  expect(described(await preferredCodecs(false))).toEqual(described(known()))
})

test('redundant sound comes first, and no codec of sound is left out or added', () => {
  const sounds = RTCRtpReceiver.getCapabilities('audio')?.codecs ?? []
  const order = redundantSoundFirst()
  expect(namesOf(order)[0]).toBe('audio/red')
  expect(namesOf(order)[1]).toBe('audio/opus')
  expect(described(order).toSorted()).toEqual(described(sounds).toSorted())
})

test('a browser without redundant sound keeps its order', () => {
  const opus: RTCRtpCodec = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 }
  vi.spyOn(RTCRtpReceiver, 'getCapabilities').mockReturnValue({ codecs: [opus], headerExtensions: [] })
  expect(redundantSoundFirst()).toEqual([])
})

/** The payload types of a description's sound, and the names and types that are sent again when they are lost. */
function soundOf(description: RTCSessionDescription | null) {
  const section = description?.sdp.split(/(?=^m=)/m).find((part) => part.startsWith('m=audio ')) ?? ''
  const names = new Map(
    [...section.matchAll(/^a=rtpmap:(\d+) (\w+)/gm)].map(([, type = '', name = '']) => [type, name.toLowerCase()]),
  )
  const first = /^m=audio \d+ \S+ (\d+)/.exec(section)?.[1] ?? ''
  const repeated = [...section.matchAll(/^a=rtcp-fb:(\d+) nack\r$/gm)].map(([, type = '']) => names.get(type))
  return { first: names.get(first), repeated: repeated.toSorted(), pauses: /usedtx=1/.test(section) }
}

test('a call sends redundant sound, and both sides send lost packets of it again', async () => {
  const local = await openCamera()
  const { caller, callee } = openPair(local)
  for (const { connection, peer, reported } of [caller, callee]) {
    await expect.poll(() => soundPackets(connection)).toBeGreaterThan(10)
    for (const description of [connection.localDescription, connection.remoteDescription])
      expect(soundOf(description)).toEqual({ first: 'red', repeated: ['opus', 'red'], pauses: false })
    const sender = connection.getSenders().find(({ track }) => track?.kind === 'audio')
    expect(namesOf(sender?.getParameters().codecs ?? [])[0]).toBe('audio/red')
    expect(reported.filter(({ type }) => type === 'fault')).toEqual([])
    peer.close()
  }
  for (const track of local.getTracks()) track.stop()
})

test('two peers that prefer H264 use it', async () => {
  const local = await openCamera()
  const caller = new RTCPeerConnection()
  const callee = new RTCPeerConnection()
  caller.onicecandidate = ({ candidate }) => void callee.addIceCandidate(candidate ?? undefined)
  callee.onicecandidate = ({ candidate }) => void caller.addIceCandidate(candidate ?? undefined)
  const codecs = await preferredCodecs(true)
  for (const connection of [caller, callee]) {
    for (const track of local.getTracks()) connection.addTrack(track, local)
  }
  const prefer = (connection: RTCPeerConnection) =>
    connection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === 'video')
      ?.setCodecPreferences(codecs)
  prefer(caller)
  await caller.setLocalDescription()
  if (caller.localDescription) await callee.setRemoteDescription(caller.localDescription)
  prefer(callee)
  await callee.setLocalDescription()
  if (callee.localDescription) await caller.setRemoteDescription(callee.localDescription)
  for (const connection of [caller, callee])
    await expect.poll(async () => (await readCallSample(connection)).codec).toBe('video/H264')
  caller.close()
  callee.close()
  for (const track of local.getTracks()) track.stop()
})
