import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { server } from 'vitest/browser'
import { preferredCodecs } from '../../../../src/call/peer/preferred-codecs.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { limitsOf, type SendLimits } from '../../../../src/call/rules/send-ladder.ts'
import { bothSeeFullSize, framesDecoded, openCamera, openPair, userNameFragment } from './peers.ts'

const free = limitsOf(governorStart, 'best', false, null)
const robust: SendLimits = { ...free, maxKbps: 700, layers: 3, isLossy: true }

let local: MediaStream
beforeAll(async () => {
  local = await openCamera()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  for (const track of local.getTracks()) track.stop()
})

/** A call between devices with a weak CPU, which prefer H264 if the browser has it. */
async function callWithH264() {
  const { caller, callee } = openPair(local, null, await preferredCodecs(true))
  for (const { connection } of [caller, callee]) await expect.poll(() => framesDecoded(connection)).toBeGreaterThan(5)
  return {
    caller,
    callee,
    /** Sound packets that a side sends, measured over a second. */
    async packetsASecond({ connection } = caller) {
      const [before, at] = [await soundSent(connection), performance.now()]
      await expect.poll(() => performance.now() - at).toBeGreaterThan(1_000)
      return (((await soundSent(connection)) - before) * 1_000) / (performance.now() - at)
    },
    /** The codec of what the callee receives. */
    async received() {
      const report = await callee.connection.getStats()
      for (const entry of report.values())
        if (entry.type === 'inbound-rtp' && entry.kind === 'video') return report.get(entry.codecId)?.mimeType
      return null
    },
    frames: () => framesDecoded(callee.connection),
    close() {
      caller.peer.close()
      callee.peer.close()
    },
  }
}

async function soundSent(connection: RTCPeerConnection): Promise<number> {
  for (const entry of (await connection.getStats()).values())
    if (entry.type === 'outbound-rtp' && entry.kind === 'audio') return entry.packetsSent
  return 0
}

function encodingOf(connection: RTCPeerConnection, kind: string) {
  const sender = connection.getSenders().find(({ track }) => track?.kind === kind)
  return sender?.getParameters().encodings[0]
}

test('a call that loses packets changes to a codec that stands that, without a new negotiation', async () => {
  const call = await callWithH264()
  expect(await call.received()).toBe('video/H264')
  const descriptions = () => call.caller.reported.filter(({ type }) => type === 'description').length
  const before = descriptions()
  await call.caller.peer.limit(free)
  expect(encodingOf(call.caller.connection, 'video')).not.toHaveProperty('codec')
  await call.caller.peer.limit(robust)
  await expect.poll(call.received).toBe('video/VP8')
  const frames = await call.frames()
  await expect.poll(call.frames).toBeGreaterThan(frames + 5)
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({ maxBitrate: 700_000, scalabilityMode: 'L1T3' })
  await call.caller.peer.limit({ ...robust, layers: 1 })
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({ scalabilityMode: 'L1T1' })
  expect(await call.received()).toBe('video/VP8')
  expect(descriptions()).toBe(before)
  call.close()
})

test('a browser that refuses to change the codec keeps the other limits', async () => {
  const call = await callWithH264()
  const codec = await call.received()
  const { setParameters } = RTCRtpSender.prototype
  const refused = vi.fn()
  vi.spyOn(RTCRtpSender.prototype, 'setParameters').mockImplementation(async function (this: RTCRtpSender, parameters) {
    if (parameters.encodings.some((encoding) => 'codec' in encoding)) {
      refused()
      throw new DOMException('No such codec', 'InvalidModificationError')
    }
    return setParameters.call(this, parameters)
  })
  await call.caller.peer.limit({ ...robust, scaleDownBy: 2, soundKbps: 12 })
  expect(refused).toHaveBeenCalledOnce()
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({
    active: true,
    maxBitrate: 700_000,
    scaleResolutionDownBy: 2,
  })
  expect(encodingOf(call.caller.connection, 'audio')).toMatchObject({
    maxBitrate: 12_000,
    priority: 'high',
    ...(server.browser === 'chromium' ? { networkPriority: 'high' } : {}),
  })
  expect(await call.received()).toBe(codec)
  call.close()
})

test('a browser that does not list the codecs of a sender keeps the other limits', async () => {
  const call = await callWithH264()
  const { getParameters, setParameters } = RTCRtpSender.prototype
  const listed = new Map<string, RTCRtpCodecParameters[]>()
  const list = vi.spyOn(RTCRtpSender.prototype, 'getParameters').mockImplementation(function (this: RTCRtpSender) {
    const { codecs, ...rest } = getParameters.call(this)
    listed.set(rest.transactionId, codecs)
    return rest as RTCRtpSendParameters
  })
  // Chromium itself wants them back.
  vi.spyOn(RTCRtpSender.prototype, 'setParameters').mockImplementation(function (this: RTCRtpSender, parameters) {
    return setParameters.call(this, { ...parameters, codecs: listed.get(parameters.transactionId) ?? [] })
  })
  await call.caller.peer.limit({ ...robust, scaleDownBy: 2, soundKbps: 12 })
  list.mockRestore()
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({ maxBitrate: 700_000, scaleResolutionDownBy: 2 })
  expect(encodingOf(call.caller.connection, 'audio')).toMatchObject({ maxBitrate: 12_000 })
  call.close()
})

test('sound is sent in longer packets without a word to the peer, also after an ICE restart, and in short ones again', async () => {
  const call = await callWithH264()
  const descriptions = () => call.caller.reported.filter(({ type }) => type === 'description').length
  const before = descriptions()
  await call.caller.peer.limit({ ...free, soundPacketMs: 60 })
  await expect.poll(() => call.packetsASecond()).toBeLessThan(25)
  expect(descriptions()).toBe(before)
  call.caller.peer.restartIce()
  await expect.poll(descriptions).toBe(before + 1)
  await expect.poll(() => call.caller.connection.signalingState).toBe('stable')
  expect(call.caller.connection.remoteDescription?.sdp).toContain('a=ptime:60')
  expect(call.caller.connection.remoteDescription?.sdp).toContain('usedtx=1')
  const frames = await call.frames()
  await expect.poll(call.frames).toBeGreaterThan(frames + 5)
  expect(await call.packetsASecond()).toBeLessThan(25)
  await call.caller.peer.limit(free)
  await expect.poll(() => call.packetsASecond()).toBeGreaterThan(40)
  expect(call.caller.connection.remoteDescription?.sdp).not.toContain('usedtx')
  expect(call.caller.reported.filter(({ type }) => type === 'fault')).toEqual([])
  call.close()
})

test('the callee, too, changes the length of its sound packets', async () => {
  const call = await callWithH264()
  await call.callee.peer.limit({ ...free, soundPacketMs: 60 })
  await expect.poll(() => call.packetsASecond(call.callee)).toBeLessThan(25)
  const frames = await framesDecoded(call.caller.connection)
  await expect.poll(() => framesDecoded(call.caller.connection)).toBeGreaterThan(frames + 5)
  call.close()
})

test('a measurement of the network and the full size are asked for without a word to the peer, and the call goes on', async () => {
  const call = await callWithH264()
  const descriptions = () => call.caller.reported.filter(({ type }) => type === 'description').length
  const before = descriptions()
  for (const { peer } of [call.caller, call.callee]) {
    peer.measure()
    peer.measure()
    await peer.restoreSize()
  }
  await expect.poll(() => call.caller.connection.remoteDescription?.sdp).toContain('b=AS:4002')
  await expect.poll(() => call.callee.connection.remoteDescription?.sdp).toContain('b=AS:4002')
  for (const { connection } of [call.caller, call.callee]) {
    const frames = await framesDecoded(connection)
    await expect.poll(() => framesDecoded(connection)).toBeGreaterThan(frames + 5)
  }
  expect(descriptions()).toBe(before)
  for (const { reported } of [call.caller, call.callee])
    expect(reported.filter(({ type }) => type === 'fault')).toEqual([])
  call.close()
})

test('a ceiling of what is sent holds until it is taken away, also after an ICE restart, and nothing is measured under it', async () => {
  const call = await callWithH264()
  const remote = ({ connection }: typeof call.caller) => connection.remoteDescription?.sdp ?? ''
  for (const side of [call.caller, call.callee]) {
    await side.peer.limit({ ...free, ceilingKbps: 115 })
    await expect.poll(() => remote(side)).toMatch(/b=AS:11[56]\r\n/)
  }
  call.caller.peer.measure()
  call.caller.peer.restartIce()
  const fragment = userNameFragment(call.callee.connection.localDescription)
  await expect.poll(() => userNameFragment(call.callee.connection.localDescription)).not.toBe(fragment)
  await expect.poll(() => call.caller.connection.signalingState).toBe('stable')
  const available = async () => (await call.caller.peer.sample()).availableKbps
  await expect.poll(available).toBeLessThanOrEqual(116)
  const frames = await call.frames()
  await expect.poll(call.frames).toBeGreaterThan(frames + 50)
  expect(await available()).toBeLessThanOrEqual(116)
  await call.caller.peer.limit(free)
  await expect.poll(() => remote(call.caller)).toContain('b=AS:4000\r\n')
  await expect.poll(available).toBeGreaterThan(116)
  expect(call.caller.reported.filter(({ type }) => type === 'fault')).toEqual([])
  call.close()
})

test('the full size is restored by a preference that changes, and by nothing in a call that has ended', async () => {
  const call = await callWithH264()
  const set = vi.spyOn(RTCRtpSender.prototype, 'setParameters')
  await call.caller.peer.restoreSize()
  const preferences = () => set.mock.calls.map(([{ degradationPreference }]) => degradationPreference)
  expect(preferences()).toEqual(['balanced', 'maintain-framerate'])
  call.close()
  await call.caller.peer.restoreSize()
  await call.caller.peer.limit(free)
  expect(preferences()).toHaveLength(2)
})

test('limits and the full size that are asked for at once cross nowhere', async () => {
  const call = await callWithH264()
  const { peer, connection } = call.caller
  const asked = [400, 500, 600].flatMap((maxKbps) => [peer.limit({ ...free, maxKbps }), peer.restoreSize()])
  expect((await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')).toEqual([])
  const video = connection.getSenders().find(({ track }) => track?.kind === 'video')
  expect(video?.getParameters().encodings[0]?.maxBitrate).toBe(600_000)
  call.close()
})

test('a picture whose limit falls far is begun anew, small', async () => {
  const call = await callWithH264()
  await bothSeeFullSize(call)
  const set = vi.spyOn(RTCRtpSender.prototype, 'setParameters')
  /** Of each setting of the picture's limits, whether the picture is sent. */
  const pictures = () =>
    set.mock.calls.flatMap(([{ encodings }], index) => {
      const { track } = set.mock.contexts[index] as RTCRtpSender
      return track?.kind === 'video' ? [encodings[0]?.active] : []
    })
  await call.caller.peer.limit(free)
  await call.caller.peer.limit({ ...free, maxKbps: 900 })
  expect(pictures()).toEqual([true, true])
  await call.caller.peer.limit({ ...free, maxKbps: 40, maxFrameRate: 10, scaleDownBy: 4 })
  // Switched off, the stream gives up what waits to be sent.
  expect(pictures()).toEqual([true, true, false, true])
  await expect.poll(async () => (await call.callee.peer.sample()).receivedHeight).toBe(120)
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({ active: true, maxBitrate: 40_000 })
  const frames = await call.frames()
  await expect.poll(call.frames).toBeGreaterThan(frames + 5)
  call.close()
})

test('the last of several limits holds, although one before it takes more steps or was refused', async () => {
  const call = await callWithH264()
  await call.caller.peer.limit(free)
  // The first one drops what waits to be sent before it sets the limit.
  const both = [{ ...free, maxKbps: 40, scaleDownBy: 4, soundKbps: 8 }, free].map((one) => call.caller.peer.limit(one))
  await Promise.all(both)
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({
    active: true,
    maxBitrate: free.maxKbps * 1_000,
    scaleResolutionDownBy: free.scaleDownBy,
  })
  expect(encodingOf(call.caller.connection, 'audio')).toMatchObject({ maxBitrate: free.soundKbps * 1_000 })

  vi.spyOn(RTCRtpSender.prototype, 'setParameters').mockRejectedValueOnce(new DOMException('Busy', 'OperationError'))
  const refused = call.caller.peer.limit({ ...free, maxKbps: 900 })
  const last = call.caller.peer.limit({ ...free, maxKbps: 800 })
  await expect(refused).rejects.toThrow('Busy')
  await last
  expect(encodingOf(call.caller.connection, 'video')).toMatchObject({ maxBitrate: 800_000 })
  call.close()
})

test('the delay of playback is set for sound and picture alike, and cleared again', async () => {
  const call = await callWithH264()
  type Delayed = { jitterBufferTarget?: number | null; playoutDelayHint?: number | null }
  const receivers = () => call.caller.connection.getReceivers() as Delayed[]
  const targets = () => receivers().map(({ jitterBufferTarget }) => jitterBufferTarget)
  expect(targets()).toEqual([null, null])
  call.caller.peer.delayPlayback(300)
  expect(targets()).toEqual([300, 300])
  // Of older browsers, in seconds.
  expect(receivers().map(({ playoutDelayHint }) => playoutDelayHint)).toEqual([0.3, 0.3])
  call.caller.peer.delayPlayback(null)
  expect(targets()).toEqual([null, null])
  call.close()
})
