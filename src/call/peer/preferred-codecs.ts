import type { PeerReporter } from './peer-reporter.ts'

/** The highest quality of a sent picture. An encoder is asked whether it delivers it. */
const demand = { width: 1280, height: 720, framerate: 30, bitrate: 2_500_000 }

/**
 * Resolves with the codecs in the order for `setCodecPreferences` of a video transceiver: hardware-encoded codecs
 * first. With a weak CPU H264 follows, since it costs the least. Empty if the browser does not report its codecs.
 */
export async function preferredCodecs(weakCpu: boolean): Promise<RTCRtpCodec[]> {
  const known = RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
  const ranked = await Promise.all(known.map(async (codec) => ({ codec, rank: await rankOf(codec, weakCpu) })))
  return ranked.sort((one, other) => one.rank - other.rank).map(({ codec }) => codec)
}

async function rankOf(codec: RTCRtpCodec, weakCpu: boolean): Promise<number> {
  if (await isInHardware(codec)) return 0
  return weakCpu && codec.mimeType.toLowerCase() === 'video/h264' ? 1 : 2
}

async function isInHardware({ mimeType, sdpFmtpLine }: RTCRtpCodec): Promise<boolean> {
  const contentType = sdpFmtpLine ? `${mimeType};${sdpFmtpLine}` : mimeType
  try {
    const { supported, powerEfficient } = await navigator.mediaCapabilities.encodingInfo({
      type: 'webrtc',
      video: { contentType, ...demand },
    })
    return supported && powerEfficient
  } catch {
    // The query rejects for entries that are no real codecs (retransmission), and does not exist in some browsers.
    return false
  }
}

/**
 * Returns the codecs in the order for `setCodecPreferences` of an audio transceiver: redundant Opus (RFC 2198) first,
 * whose packets also contain the packet before. Empty if the browser does not support redundant Opus.
 */
export function redundantSoundFirst(): RTCRtpCodec[] {
  const known = RTCRtpReceiver.getCapabilities('audio')?.codecs ?? []
  const isRedundant = ({ mimeType }: RTCRtpCodec) => mimeType.toLowerCase() === 'audio/red'
  if (!known.some(isRedundant)) return []
  return [...known].sort((one, other) => Number(isRedundant(other)) - Number(isRedundant(one)))
}

/** Sets the order of codecs. Call it before each description of this side is made. */
export async function preferCodecs(
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
    // A call also connects with the browser's own order.
    reportFault('The order of codecs', thrown)
  }
}

/** Resolves with the names that the codecs have in descriptions, such as `VP8`. Never rejects. */
export async function codecNames(codecs: Promise<RTCRtpCodec[]>): Promise<string[]> {
  return (await codecs.catch(() => [])).map(({ mimeType }) => mimeType.slice(mimeType.indexOf('/') + 1))
}
