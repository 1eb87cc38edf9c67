import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { candidateSchema, descriptionSchema, hasAudioAndVideo, type Role } from '#protocol/hub.ts'
import { parse } from '#protocol/parse.ts'
import type { SendLimits } from '../rules/governor.ts'
import { createEarlyCandidates } from './early-candidates.ts'
import type { PeerReporter } from './peer-reporter.ts'
import { redundantSoundFirst } from './preferred-codecs.ts'
import { withPacketTime, withSoundProtection, withStartBitrate, withVideoBandwidth } from './sdp.ts'

/** The least with which the first frame of a 720p camera has 960 of its 1,280 columns; more fills slow uplinks. */
const START_KBIT_PER_SECOND = 600
/** What browsers send without a wish. */
const DEFAULT_PACKET_MS = 20
const MAX_KBPS = 4_000
/** Bounds the memory that a peer's descriptions take. */
const DESCRIPTIONS_KEPT = 20

const candidateTextSchema = v.pipe(v.string(), v.parseJson(), candidateSchema)
const descriptionTextSchema = v.pipe(v.string(), v.parseJson(), descriptionSchema)

type Options = { role: Role; codecs: Promise<RTCRtpCodec[]> }

/** Exchanges descriptions and candidates with the peer, one operation at a time. Failures are reported as faults. */
export function createNegotiation(connection: RTCPeerConnection, { role, codecs }: Options, reporter: PeerReporter) {
  const { report, milestone } = reporter
  const candidates = createEarlyCandidates(connection, reporter)
  const { enqueue, finished } = createOperations(reporter)
  const isRepeated = createRepetitionCheck()
  let restartWanted = false
  /** Offers an ICE restart. It is set when its answer has arrived. */
  let restartOffer: string | null = null
  /** Length of the sent sound packets in milliseconds. */
  let packetMs = DEFAULT_PACKET_MS
  /** Above every limit of ours, to measure the network. */
  let maxKbps = MAX_KBPS
  let ceilingKbps: number | null = null
  let ceilingsSet = 0

  async function publish({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    if (reporter.isClosed() || (type !== 'offer' && type !== 'answer')) return
    checkOwn(type, sdp)
    const set = await setLocal(type, sdp)
    milestone('local')
    send(type, set)
  }

  /**
   * Sends an offer that is not set before its answer is here. Set at once, the new addresses would be paired with the peer's old ones
   * meanwhile, and libwebrtc keeps such a pair: Firefox responds to its checks, but drops the media.
   */
  async function offerRestart(): Promise<void> {
    reporter.restart()
    const { sdp = '' } = await connection.createOffer({ iceRestart: true })
    if (reporter.isClosed()) return
    checkOwn('offer', sdp)
    restartOffer = sdp
    send('offer', withSoundProtection(sdp))
  }

  function checkOwn(type: 'offer' | 'answer', sdp: string): void {
    if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The own ${type} lacks audio or video`)
    milestone(type)
  }

  function send(type: 'offer' | 'answer', sdp: string): void {
    report({ type: 'description', kind: type, data: JSON.stringify({ type, sdp }) })
  }

  /** Resolves with the description that was set: the browser's own where it refuses the protected one. */
  async function setLocal(type: 'offer' | 'answer', sdp: string): Promise<string> {
    const better = withSoundProtection(sdp)
    try {
      await connection.setLocalDescription({ type, sdp: better })
      return better
    } catch (thrown) {
      if (better === sdp) throw thrown
      await connection.setLocalDescription({ type, sdp })
      return sdp
    }
  }

  /** An ICE restart ends the limit of libwebrtc unless its number changes. */
  function withCeiling(sdp: string, kbps: number): string {
    ceilingsSet += 1
    return withVideoBandwidth(sdp, kbps + (ceilingsSet % 2))
  }

  async function setRemote(type: 'offer' | 'answer', sdp: string): Promise<void> {
    reporter.restart()
    // The answer's author has put its codecs into the order that holds.
    const preferred = type === 'offer' ? (await codecs.catch(() => [])).map(nameOf) : []
    const started = isChromium() ? withStartBitrate(sdp, START_KBIT_PER_SECOND, preferred) : sdp
    const packed = packetMs === DEFAULT_PACKET_MS ? started : withPacketTime(started, packetMs)
    await connection.setRemoteDescription({
      type,
      sdp: ceilingKbps === null ? packed : withCeiling(packed, ceilingKbps),
    })
    milestone('remote')
  }

  const isNegotiating = () => restartOffer !== null || connection.signalingState !== 'stable'

  /** Negotiates with the peer's last description again, on this side alone: neither side's media nor addresses change. */
  async function renegotiate(): Promise<void> {
    const remote = connection.remoteDescription
    if (!remote || isNegotiating()) return
    const { type } = remote
    const packed = withPacketTime(remote.sdp, packetMs)
    const sdp = ceilingKbps === null ? withVideoBandwidth(packed, maxKbps) : withCeiling(packed, ceilingKbps)
    try {
      if (type === 'answer') {
        await setLocal('offer', (await connection.createOffer()).sdp ?? '')
        await connection.setRemoteDescription({ type, sdp })
      } else {
        await connection.setRemoteDescription({ type, sdp })
        await setLocal('answer', (await connection.createAnswer()).sdp ?? '')
      }
    } catch (thrown) {
      await rollBack(connection)
      throw thrown
    }
  }

  async function acceptAnswer(sdp: string): Promise<void> {
    const offer = restartOffer
    restartOffer = null
    if (offer !== null) await setLocal('offer', offer)
    if (connection.signalingState !== 'have-local-offer') return
    await setRemote('answer', sdp)
    await candidates.apply()
    if (!restartWanted || reporter.isClosed()) return
    restartWanted = false
    await offerRestart()
  }

  async function acceptOffer(sdp: string): Promise<void> {
    await setRemote('offer', sdp)
    await preferCodecs(connection, codecs, reporter)
    await publish(await connection.createAnswer())
    await candidates.apply()
  }

  return {
    offer: () =>
      enqueue('The offer', async () => {
        await preferCodecs(connection, codecs, reporter)
        await publish(await connection.createOffer())
      }),

    accept: (data: string) =>
      enqueue("The peer's description", async () => {
        const { type, sdp } = parse(descriptionTextSchema, data)
        if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The peer's ${type} lacks audio or video`)
        if (isRepeated(sdp)) return
        if (type === 'answer') await acceptAnswer(sdp)
        else if (role === 'Callee') await acceptOffer(sdp)
      }),

    addCandidate: (data: string) =>
      enqueue('A candidate', async () => {
        candidates.add(parse(candidateTextSchema, data))
        await candidates.apply()
      }),

    restartIce: () =>
      enqueue('The ICE restart', async () => {
        // A pending answer belongs to the offer before: a new offer now would be paired with that answer.
        restartWanted = isNegotiating()
        if (!restartWanted) await offerRestart()
      }),

    /**
     * Sends sound in packets of this length and no more than the ceiling of both media, from the next description on where the
     * connection is being negotiated.
     */
    shape(limits: Pick<SendLimits, 'soundPacketMs' | 'ceilingKbps'>): void {
      const isSame = limits.soundPacketMs === packetMs && limits.ceilingKbps === ceilingKbps
      if (isSame || !isChromium()) return
      packetMs = limits.soundPacketMs
      ceilingKbps = limits.ceilingKbps
      enqueue('The shape of what is sent', renegotiate)
    },

    /** libwebrtc sends a burst to measure the network when a limit above its estimate is raised. */
    measure(): void {
      if (!isChromium() || ceilingKbps !== null) return
      maxKbps += 1
      enqueue('The measurement of the network', renegotiate)
    },

    /** Resolves when the operation that is under way has ended. */
    close(): Promise<void> {
      candidates.clear()
      return finished()
    },
  }
}

/** Ends a half negotiation, for whose end a later ICE restart would wait. */
async function rollBack(connection: RTCPeerConnection): Promise<void> {
  const type = 'rollback'
  if (connection.signalingState === 'have-local-offer') await connection.setLocalDescription({ type })
  if (connection.signalingState === 'have-remote-offer') await connection.setRemoteDescription({ type })
}

/** Returns a function that returns whether it received a description before: the hub may deliver one twice, and late. */
function createRepetitionCheck() {
  const seen = new Set<string>()
  return (sdp: string): boolean => {
    if (seen.has(sdp)) return true
    const [oldest] = seen
    if (oldest !== undefined && seen.size >= DESCRIPTIONS_KEPT) seen.delete(oldest)
    seen.add(sdp)
    return false
  }
}

/** Runs one operation at a time, so that an offer and an answer that overlap cannot interleave. */
function createOperations({ isClosed, reportFault }: PeerReporter) {
  let queue = Promise.resolve()
  return {
    enqueue(operation: string, task: () => Promise<void>): void {
      queue = queue
        .then(() => (isClosed() ? undefined : task()))
        .catch((thrown: unknown) => reportFault(operation, thrown))
    },
    finished: () => queue,
  }
}

/** Before each own description: codecs that both sides support are sent in this order. */
async function preferCodecs(
  connection: RTCPeerConnection,
  codecs: Promise<RTCRtpCodec[]>,
  { isClosed, reportFault }: PeerReporter,
): Promise<void> {
  try {
    const wanted = { video: await codecs, audio: redundantSoundFirst() }
    if (isClosed()) return
    for (const transceiver of connection.getTransceivers()) {
      const order = transceiver.receiver.track.kind === 'video' ? wanted.video : wanted.audio
      if (order.length > 0) transceiver.setCodecPreferences(order)
    }
  } catch (thrown) {
    // The browser's own order connects as well.
    reportFault('The order of codecs', thrown)
  }
}

/** The name of a codec in descriptions, such as `VP8`. */
function nameOf({ mimeType }: RTCRtpCodec): string {
  return mimeType.slice(mimeType.indexOf('/') + 1)
}

function isChromium(): boolean {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent)
}
