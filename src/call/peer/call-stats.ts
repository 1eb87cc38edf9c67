import * as v from 'valibot'
import type { CandidatePair } from '#protocol/call-counts.ts'
import { tryParse } from '#protocol/parse.ts'
import type { CallSample } from '../rules/call-reading.ts'

const count = v.fallback(v.number(), 0)
const maybe = v.fallback(v.nullable(v.number()), null)
const text = v.fallback(v.string(), '')

const entrySchema = v.variant('type', [
  v.object({
    type: v.literal('inbound-rtp'),
    kind: v.picklist(['audio', 'video']),
    codecId: text,
    framesDecoded: count,
    framesDropped: count,
    freezeCount: maybe,
    totalDecodeTime: count,
    packetsReceived: count,
    packetsLost: count,
    bytesReceived: count,
    headerBytesReceived: count,
    frameHeight: count,
    totalSamplesReceived: count,
    concealedSamples: count,
  }),
  v.object({
    type: v.literal('outbound-rtp'),
    kind: v.picklist(['audio', 'video']),
    bytesSent: count,
    headerBytesSent: count,
    packetsSent: count,
    framesEncoded: count,
    totalEncodeTime: count,
    qualityLimitationReason: v.fallback(v.picklist(['none', 'cpu', 'bandwidth', 'other']), 'none'),
    frameWidth: count,
    frameHeight: count,
  }),
  v.object({ type: v.literal('media-source'), kind: v.picklist(['audio', 'video']), width: count, height: count }),
  v.object({
    type: v.literal('remote-inbound-rtp'),
    kind: v.picklist(['audio', 'video']),
    fractionLost: maybe,
    roundTripTime: maybe,
  }),
  v.object({
    type: v.literal('transport'),
    selectedCandidatePairId: text,
    bytesSent: count,
    bytesReceived: count,
    packetsSent: count,
    packetsReceived: count,
  }),
  v.object({
    type: v.literal('candidate-pair'),
    id: text,
    localCandidateId: text,
    remoteCandidateId: text,
    /** Set by Firefox, whose older versions report no transport entry. */
    selected: v.fallback(v.boolean(), false),
    currentRoundTripTime: maybe,
    availableOutgoingBitrate: maybe,
  }),
  v.object({
    type: v.literal('local-candidate'),
    id: text,
    address: text,
    candidateType: text,
    protocol: text,
    relayProtocol: text,
  }),
  v.object({ type: v.literal('remote-candidate'), id: text, address: text, candidateType: text }),
  v.object({ type: v.literal('codec'), id: text, mimeType: text }),
])
type Entry = v.InferOutput<typeof entrySchema>
type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>

const MS = 1_000
/** IPv4 and UDP headers of a packet. */
const HEADER_BYTES = 28
const KBIT = 1_000

/** Reads the statistics of a call once. Values that the browser does not report are 0 or null. */
export async function readCallSample(connection: RTCPeerConnection): Promise<CallSample> {
  const report = await connection.getStats()
  const sample = sampleOf([...report.values()], performance.now())
  const isUdpBlocked = sample.isUdpBlocked && offersUdp(connection.getConfiguration())
  return { ...sample, isUdpBlocked, capturedSide: capturedSide(connection) || sample.capturedSide }
}

/** Returns whether the connection may use an ICE server over UDP. */
export function offersUdp({ iceServers = [], iceTransportPolicy }: RTCConfiguration): boolean {
  const isUdp = iceTransportPolicy === 'relay' ? /^turn:(?!.*transport=tcp)/ : /^(stun|turn):(?!.*transport=tcp)/
  return iceServers.some(({ urls }) => [urls].flat().some((url) => isUdp.test(url)))
}

/** Reads the camera's size from its track: Firefox's statistics give that of the sent picture. 0 if unknown. */
function capturedSide(connection: RTCPeerConnection): number {
  const camera = connection.getSenders().find(({ track }) => track?.kind === 'video')?.track
  const { width = 0, height = 0 } = camera?.getSettings() ?? {}
  return Math.min(width, height)
}

const usefulTypes: ReadonlySet<unknown> = new Set(entrySchema.options.map(({ entries }) => entries.type.literal))

function isUseful(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'type' in entry && usefulTypes.has(entry.type)
}

/** Converts the entries of `getStats()`; `at` is the time of `getStats()` in milliseconds. */
export function sampleOf(entries: readonly unknown[], at: number): CallSample {
  // Most entries are not needed; parsing them would take longer than everything else here.
  const known = entries.filter(isUseful).flatMap((entry) => {
    const parsed = tryParse(entrySchema, entry)
    return parsed.success ? [parsed.output] : []
  })
  const of = <T extends Entry['type']>(type: T) => known.filter((entry): entry is EntryOf<T> => entry.type === type)
  const inbound = of('inbound-rtp')
  const outbound = of('outbound-rtp')
  const pictureIn = inbound.find(({ kind }) => kind === 'video')
  const soundIn = inbound.find(({ kind }) => kind === 'audio')
  const pictureOut = outbound.find(({ kind }) => kind === 'video')
  const camera = of('media-source').find(({ kind }) => kind === 'video')
  const remote = of('remote-inbound-rtp').find(({ kind }) => kind === 'video')
  const transport = of('transport')[0]
  const selected = transport?.selectedCandidatePairId
  const bytesSent = sum(outbound.map((each) => each.bytesSent))
  const bytesReceived = sum(inbound.map((each) => each.bytesReceived))
  const pair = of('candidate-pair').find(({ id, selected: chosen }) => chosen || id === selected)
  const candidates = of('local-candidate')
  const near = candidates.find(({ id }) => id === pair?.localCandidateId)
  const roundTrip = pair?.currentRoundTripTime ?? remote?.roundTripTime ?? null
  const available = pair?.availableOutgoingBitrate ?? null
  return {
    at,
    framesDecoded: pictureIn?.framesDecoded ?? 0,
    framesDropped: pictureIn?.framesDropped ?? 0,
    freezes: pictureIn?.freezeCount ?? null,
    decodeSeconds: pictureIn?.totalDecodeTime ?? 0,
    encodeSeconds: pictureOut?.totalEncodeTime ?? 0,
    audioPacketsReceived: soundIn?.packetsReceived ?? 0,
    audioPacketsLost: soundIn?.packetsLost ?? 0,
    soundSamples: soundIn?.totalSamplesReceived ?? 0,
    concealedSamples: soundIn?.concealedSamples ?? 0,
    packetsReceived: pictureIn?.packetsReceived ?? 0,
    packetsLost: pictureIn?.packetsLost ?? 0,
    remoteLoss: remote?.fractionLost ?? null,
    roundTripMs: roundTrip === null ? null : roundTrip * MS,
    availableKbps: available === null ? null : available / KBIT,
    bytesSent,
    bytesReceived,
    // Firefox counts no bytes in the transport entry.
    bytesOnWire: transport?.bytesSent
      ? onWire(transport)
      : sum([...inbound.map(withHeaders), ...outbound.map(withHeaders)]),
    framesEncoded: pictureOut?.framesEncoded ?? 0,
    limitedBy: pictureOut?.qualityLimitationReason ?? 'none',
    capturedSide: camera ? Math.min(camera.width, camera.height) : 0,
    sentHeight: pictureOut?.frameHeight ?? 0,
    sentSide: pictureOut ? Math.min(pictureOut.frameWidth, pictureOut.frameHeight) : 0,
    receivedHeight: pictureIn?.frameHeight ?? 0,
    codec: of('codec').find(({ id }) => id === pictureIn?.codecId)?.mimeType ?? '',
    isRelayed: near?.candidateType === 'relay',
    pair: near
      ? candidatePairOf(
          near,
          of('remote-candidate').find(({ id }) => id === pair?.remoteCandidateId),
        )
      : null,
    isUdpBlocked: near !== undefined && isOverTcp(near) && !candidates.some(isUdpAnswered),
  }
}

const kinds = ['relay', 'prflx', 'srflx', 'host'] as const
const ways = ['udp', 'tcp', 'tls'] as const

/** Returns null if the browser does not report the kind or the protocol of the pair. */
function candidatePairOf(
  { candidateType, protocol, relayProtocol, address }: EntryOf<'local-candidate'>,
  far: EntryOf<'remote-candidate'> | undefined,
): CandidatePair | null {
  const kind = kinds.find((one) => one === candidateType || one === far?.candidateType)
  const way = ways.find((one) => one === (candidateType === 'relay' ? relayProtocol : protocol))
  return kind && way ? { kind, way, family: familyOf(address) ?? familyOf(far?.address) ?? 'unknown' } : null
}

/** Returns the IP family of an address; null if the browser hides it. Both candidates of a pair have the same. */
function familyOf(address = ''): 'ipv4' | 'ipv6' | null {
  if (address.includes(':')) return 'ipv6'
  return /^[\d.]+$/.test(address) ? 'ipv4' : null
}

function isOverTcp({ protocol, relayProtocol }: EntryOf<'local-candidate'>): boolean {
  return protocol === 'tcp' || relayProtocol === 'tcp' || relayProtocol === 'tls'
}

/** Returns whether the candidate comes from a server's response over UDP. */
function isUdpAnswered({ candidateType, protocol, relayProtocol }: EntryOf<'local-candidate'>): boolean {
  return candidateType === 'relay' ? relayProtocol === 'udp' : candidateType === 'srflx' && protocol === 'udp'
}

function onWire({ bytesSent, bytesReceived, packetsSent, packetsReceived }: EntryOf<'transport'>): number {
  return bytesSent + bytesReceived + (packetsSent + packetsReceived) * HEADER_BYTES
}

function withHeaders(entry: EntryOf<'inbound-rtp' | 'outbound-rtp'>): number {
  const [bytes, packets] =
    entry.type === 'inbound-rtp'
      ? [entry.bytesReceived + entry.headerBytesReceived, entry.packetsReceived]
      : [entry.bytesSent + entry.headerBytesSent, entry.packetsSent]
  return bytes + packets * HEADER_BYTES
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
