import { afterEach, expect, test, vi } from 'vitest'
import { readCallSample } from '../../../src/transport/call-stats.ts'
import { preferredCodecs } from '../../../src/transport/preferred-codecs.ts'
import { openCamera } from './peers.ts'

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
    await expect.poll(async () => (await readCallSample(connection)).codec, { timeout: 20_000 }).toBe('video/H264')
  caller.close()
  callee.close()
  for (const track of local.getTracks()) track.stop()
})
