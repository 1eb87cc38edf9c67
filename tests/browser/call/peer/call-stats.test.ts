import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleOf } from '../../../../src/call/peer/call-stats.ts'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { limitsOf } from '../../../../src/call/rules/send-ladder.ts'
import { bothSeeFullSize, openCamera, openPair } from './peers.ts'

const free = limitsOf(governorStart, 'best', false, null)
let local: MediaStream
beforeAll(async () => {
  local = await openCamera()
})
afterAll(() => {
  for (const track of local.getTracks()) track.stop()
})

type Pair = ReturnType<typeof openPair>

async function flowing(): Promise<Pair> {
  const pair = openPair(local)
  for (const { peer } of [pair.caller, pair.callee])
    await expect.poll(async () => (await peer.sample()).framesDecoded).toBeGreaterThan(10)
  return pair
}

function close({ caller, callee }: Pair): void {
  caller.peer.close()
  callee.peer.close()
}

test('a sample of a call has the counters of both directions', async () => {
  const pair = await flowing()
  const first = await pair.caller.peer.sample()
  const growing: (keyof CallSample)[] = [
    'at',
    'framesDecoded',
    'framesEncoded',
    'bytesSent',
    'bytesReceived',
    'bytesOnWire',
    'packetsReceived',
    'audioPacketsReceived',
  ]
  let now = first
  const unchanged = async () => {
    now = await pair.caller.peer.sample()
    return growing.filter((name) => Number(now[name]) <= Number(first[name]))
  }
  // A new picture may come before the next packet of sound, and Firefox measures the round trip every few seconds.
  await expect.poll(unchanged).toEqual([])
  await expect.poll(async () => (await pair.caller.peer.sample()).roundTripMs).not.toBeNull()
  expect(now.bytesOnWire).toBeGreaterThan(now.bytesSent + now.bytesReceived)
  expect(now.receivedHeight).toBeGreaterThan(0)
  expect(now.sentSide).toBeGreaterThan(0)
  expect(now.codec).toMatch(/^video\//)
  expect(now.isRelayed).toBe(false)
  // Chromium learns the other side's address from its packets where both are one machine.
  expect(['host', 'prflx']).toContain(now.pair?.kind)
  expect(now.pair?.way).toBe('udp')
  close(pair)
})

test('a sample has the size of the camera while the call begins with a smaller picture', async () => {
  const pair = openPair(local)
  const { peer } = pair.caller
  await expect.poll(async () => (await peer.sample()).sentSide).toBeGreaterThan(0)
  expect((await peer.sample()).capturedSide).toBe(480)
  close(pair)
})

test('the sent video keeps its limits, and recovers when they are lifted', async () => {
  const pair = await flowing()
  await bothSeeFullSize(pair)
  const height = async () => (await pair.callee.peer.sample()).receivedHeight
  await expect.poll(height).toBe(480)
  await pair.caller.peer.limit({ ...free, maxKbps: 200, maxFrameRate: 10, scaleDownBy: 4 })
  await expect.poll(height).toBe(120)
  await pair.caller.peer.limit(free)
  await expect.poll(height).toBe(480)
  close(pair)
})

test('another camera, whose picture is upright, takes the place of the first without a new negotiation', async () => {
  const pair = await flowing()
  const other = await navigator.mediaDevices.getUserMedia({
    audio: true,
    video: { width: { exact: 240 }, height: { exact: 320 } },
  })
  const before = pair.caller.reported.length
  await pair.caller.peer.replaceTracks(other)
  expect(
    pair.caller.connection
      .getSenders()
      .map(({ track }) => track?.id)
      .toSorted(),
  ).toEqual(
    other
      .getTracks()
      .map(({ id }) => id)
      .toSorted(),
  )
  const { framesDecoded } = await pair.callee.peer.sample()
  await expect.poll(async () => (await pair.callee.peer.sample()).framesDecoded).toBeGreaterThan(framesDecoded + 10)
  const isUpright = async () => {
    const entries = [...(await pair.callee.connection.getStats()).values()]
    const { frameWidth, frameHeight } = entries.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
    return frameWidth < frameHeight
  }
  await expect.poll(isUpright).toBe(true)
  expect(pair.caller.reported.slice(before).filter(({ type }) => type === 'description')).toEqual([])
  close(pair)
  for (const track of other.getTracks()) track.stop()
})

test('a browser with few statistics gives a sample all the same', () => {
  const sample = sampleOf(
    [{ type: 'inbound-rtp', kind: 'video', framesDecoded: 7 }, { type: 'something-new' }, null],
    5,
  )
  expect(sample).toMatchObject({
    at: 5,
    framesDecoded: 7,
    freezes: null,
    remoteLoss: null,
    roundTripMs: null,
    limitedBy: 'none',
  })
})

test('every entry of the statistics has its place in the sample', () => {
  const sent = { type: 'outbound-rtp', bytesSent: 1_000 }
  const entries = [
    { type: 'codec', id: 'opus', mimeType: 'audio/opus' },
    { type: 'codec', id: 'vp8', mimeType: 'video/VP8' },
    { ...sent, kind: 'audio' },
    {
      ...sent,
      kind: 'video',
      framesEncoded: 90,
      totalEncodeTime: 0.3,
      qualityLimitationReason: 'cpu',
      frameWidth: 270,
      frameHeight: 360,
    },
    {
      type: 'inbound-rtp',
      kind: 'video',
      codecId: 'vp8',
      framesDecoded: 80,
      framesDropped: 4,
      freezeCount: 3,
      totalDecodeTime: 0.2,
      frameHeight: 480,
    },
    { type: 'media-source', kind: 'audio' },
    { type: 'media-source', kind: 'video', width: 480, height: 640 },
    { type: 'remote-inbound-rtp', kind: 'audio', fractionLost: 0.9, roundTripTime: 9 },
    { type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.1, roundTripTime: 0.4 },
    { type: 'candidate-pair', id: 'other', localCandidateId: 'direct', availableOutgoingBitrate: 1 },
    { type: 'candidate-pair', id: 'chosen', localCandidateId: 'relayed', availableOutgoingBitrate: 700_000 },
    { type: 'local-candidate', id: 'direct', candidateType: 'host' },
    { type: 'local-candidate', id: 'relayed', candidateType: 'relay' },
  ]
  const expected = {
    bytesSent: 2_000,
    framesEncoded: 90,
    encodeSeconds: 0.3,
    limitedBy: 'cpu',
    sentHeight: 360,
    sentSide: 270,
    framesDecoded: 80,
    framesDropped: 4,
    freezes: 3,
    decodeSeconds: 0.2,
    receivedHeight: 480,
    codec: 'video/VP8',
    capturedSide: 480,
    remoteLoss: 0.1,
    roundTripMs: 400,
    availableKbps: 700,
    isRelayed: true,
    isUdpBlocked: false,
  }
  expect(sampleOf([...entries, { type: 'transport', selectedCandidatePairId: 'chosen' }], 0)).toMatchObject(expected)
  // Firefox says it in the pair.
  const marked = entries.map((entry) => ('id' in entry && entry.id === 'chosen' ? { ...entry, selected: true } : entry))
  expect(sampleOf(marked, 0)).toMatchObject(expected)
  const measured = marked.map((entry) => ('selected' in entry ? { ...entry, currentRoundTripTime: 0.05 } : entry))
  expect(sampleOf(measured, 0)).toMatchObject({ ...expected, roundTripMs: 50 })
})

const nearHost = { type: 'local-candidate', id: 'near', candidateType: 'host', protocol: 'udp', address: '192.0.2.1' }
const farHost = { type: 'remote-candidate', id: 'far', candidateType: 'host', address: '192.0.2.2' }

test.each([
  ['two hosts', {}, {}, { kind: 'host', way: 'udp', family: 'ipv4' }],
  ['a peer behind NAT', {}, { candidateType: 'srflx' }, { kind: 'srflx', way: 'udp', family: 'ipv4' }],
  ['an unforeseen address', { candidateType: 'prflx' }, { candidateType: 'srflx' }, { kind: 'prflx' }],
  ['a relay of the peer', {}, { candidateType: 'relay' }, { kind: 'relay', way: 'udp' }],
  ['an own relay', { candidateType: 'relay', relayProtocol: 'tls' }, {}, { kind: 'relay', way: 'tls' }],
  ['TCP', { protocol: 'tcp' }, {}, { kind: 'host', way: 'tcp' }],
  ['IPv6', { address: '2001:db8::1' }, {}, { family: 'ipv6' }],
  ['a hidden own address', { address: '' }, { address: '2001:db8::2' }, { family: 'ipv6' }],
  ['hidden addresses', { address: 'a.local' }, { address: '(redacted)' }, { family: 'unknown' }],
])('the candidate pair of %s is named without its addresses', (_name, near, far, expected) => {
  const entries = [
    { type: 'candidate-pair', id: 'chosen', localCandidateId: 'near', remoteCandidateId: 'far', selected: true },
    { ...nearHost, ...near },
    { ...farHost, ...far },
  ]
  const { pair } = sampleOf(entries, 0)
  expect(pair).toMatchObject(expected)
  expect(Object.keys(pair ?? {}).toSorted()).toEqual(['family', 'kind', 'way'])
})

test('a pair that the browser does not describe has no name', () => {
  const entries = [{ type: 'candidate-pair', id: 'chosen', localCandidateId: 'near', selected: true }]
  expect(sampleOf(entries, 0).pair).toBeNull()
  expect(sampleOf([...entries, { ...nearHost, candidateType: 'satellite' }], 0).pair).toBeNull()
  expect(sampleOf([...entries, { ...nearHost, candidateType: 'relay' }], 0)).toMatchObject({
    isRelayed: true,
    pair: null,
  })
})

test("what is sent and received over the wire counts with its headers, and without the browser's count of it the packets of the media do", () => {
  const transport = { type: 'transport', bytesSent: 5_000, bytesReceived: 3_000, packetsSent: 10, packetsReceived: 5 }
  const heard = {
    type: 'inbound-rtp',
    kind: 'audio',
    bytesReceived: 700,
    headerBytesReceived: 240,
    packetsReceived: 10,
  }
  const shown = { type: 'outbound-rtp', kind: 'video', bytesSent: 5_000, headerBytesSent: 96, packetsSent: 4 }
  expect(sampleOf([transport, heard, shown], 0).bytesOnWire).toBe(8_000 + 15 * 28)
  expect(sampleOf([heard, shown], 0).bytesOnWire).toBe(940 + 10 * 28 + 5_096 + 4 * 28)
  expect(sampleOf([{ type: 'inbound-rtp', kind: 'audio', bytesReceived: 700 }], 0).bytesOnWire).toBe(700)
})

test('lost packets of picture and sound are counted apart', () => {
  const sound = { type: 'inbound-rtp', kind: 'audio', packetsReceived: 50, packetsLost: 3 }
  const picture = { type: 'inbound-rtp', kind: 'video', packetsReceived: 100, packetsLost: 10 }
  const counted = { packetsReceived: 100, packetsLost: 10, audioPacketsReceived: 50, audioPacketsLost: 3 }
  expect(sampleOf([sound, picture], 0)).toMatchObject(counted)
  expect(sampleOf([sound], 0)).toMatchObject({ ...counted, packetsReceived: 0, packetsLost: 0 })
})

test.each([
  ['a relay over TCP, where no server answers over UDP', { candidateType: 'relay', relayProtocol: 'tcp' }, [], true],
  ['a relay over TLS, where no server answers over UDP', { candidateType: 'relay', relayProtocol: 'tls' }, [], true],
  ['a relay over UDP', { candidateType: 'relay', protocol: 'udp', relayProtocol: 'udp' }, [], false],
  ['a direct way', { candidateType: 'host', protocol: 'udp' }, [], false],
  [
    'a relay over TCP beside a relay over UDP',
    { candidateType: 'relay', relayProtocol: 'tcp' },
    [{ candidateType: 'relay', relayProtocol: 'udp' }],
    false,
  ],
  [
    'a relay over TCP beside an address that STUN found',
    { candidateType: 'relay', relayProtocol: 'tcp' },
    [{ candidateType: 'srflx', protocol: 'udp' }],
    false,
  ],
])('%s: whether UDP is blocked', (_, chosen, others, isUdpBlocked) => {
  const candidates = [chosen, ...others].map((each, id) => ({ type: 'local-candidate', id: String(id), ...each }))
  const pair = { type: 'candidate-pair', id: 'pair', localCandidateId: '0', selected: true }
  expect(sampleOf([pair, ...candidates], 0)).toMatchObject({ isUdpBlocked })
})
