import type { SendLimits } from '../rules/send-ladder.ts'
import { withPacketTime, withVideoBandwidth } from './sdp.ts'

const KBIT = 1_000
/** A limit by this factor lower is that of a network which has become slow: what waits for it would take seconds. */
const FAR_LESS = 10

/** What browsers send without a wish. */
const DEFAULT_PACKET_MS = 20
/** Above every limit of ours, to measure the network. */
const MAX_KBPS = 4_000

/** Fields that not every browser, nor TypeScript's description of browsers, knows. */
type Encoding = RTCRtpEncodingParameters & { codec?: RTCRtpCodec; scalabilityMode?: string }

/** Properties of a receiver that delay its playback: milliseconds today, seconds in older Chromium. */
type DelayedReceiver = Omit<RTCRtpReceiver, 'jitterBufferTarget'> & {
  jitterBufferTarget?: number | null
  playoutDelayHint?: number | null
}

/**
 * Limits what is sent. Codec and layers are wishes: a browser that refuses them gets the other limits alone.
 */
export async function applySendLimits(connection: RTCPeerConnection, limits: SendLimits): Promise<void> {
  for (const sender of connection.getSenders()) {
    if (sender.track?.kind === 'video') await limitPicture(sender, limits)
    if (sender.track?.kind === 'audio') await limitSound(sender, limits)
  }
}

async function limitPicture(sender: RTCRtpSender, limits: SendLimits): Promise<void> {
  function limited(wishes: Partial<Encoding>): RTCRtpSendParameters {
    const parameters = sender.getParameters()
    for (const encoding of parameters.encodings) {
      encoding.active = limits.noPicture === null
      encoding.maxBitrate = limits.maxKbps * KBIT
      encoding.maxFramerate = limits.maxFrameRate
      encoding.scaleResolutionDownBy = limits.scaleDownBy
      Object.assign(encoding, wishes)
    }
    return parameters
  }
  const parameters = sender.getParameters()
  const [before] = parameters.encodings
  if (!before) return
  if (before.active && (before.maxBitrate ?? 0) > limits.maxKbps * KBIT * FAR_LESS) await dropWaiting(sender)
  const isRobust = ({ mimeType }: RTCRtpCodec) => mimeType.toLowerCase() === 'video/vp8'
  // Not every browser lists the codecs of a sender.
  const robust = limits.isLossy ? parameters.codecs?.find(isRobust) : undefined
  if (robust) {
    try {
      await sender.setParameters(limited({ codec: robust, scalabilityMode: `L1T${limits.layers}` }))
      return
    } catch {
      // The limits without the wishes follow.
    }
  }
  await sender.setParameters(limited({}))
}

/** A stream that is switched off gives up its packets that wait to be sent; it begins anew with a whole frame. */
async function dropWaiting(sender: RTCRtpSender): Promise<void> {
  const parameters = sender.getParameters()
  for (const encoding of parameters.encodings) encoding.active = false
  await sender.setParameters(parameters)
}

async function limitSound(sender: RTCRtpSender, { soundKbps }: SendLimits): Promise<void> {
  const parameters = sender.getParameters()
  if (parameters.encodings.length === 0) return
  for (const encoding of parameters.encodings) {
    encoding.maxBitrate = soundKbps * KBIT
    encoding.priority = 'high'
    encoding.networkPriority = 'high'
  }
  await sender.setParameters(parameters)
}

/**
 * Chromium takes ten seconds and more to return to the full size of the picture on a network that is fast again. A change of the
 * preference between size and frame rate returns to it at once.
 */
export async function restoreSize(connection: RTCPeerConnection): Promise<void> {
  const sender = connection.getSenders().find(({ track }) => track?.kind === 'video')
  if (!sender) return
  for (const degradationPreference of ['balanced', 'maintain-framerate'] as const)
    await sender.setParameters({ ...sender.getParameters(), degradationPreference })
}

/** Delays sound and picture alike by at least `delayMs`, in which lost packets can be sent again. Null leaves it to the browser. */
export function applyPlaybackDelay(connection: RTCPeerConnection, delayMs: number | null): void {
  for (const receiver of connection.getReceivers()) {
    const delayed: DelayedReceiver = receiver
    // A browser without these properties gets ones that have no effect.
    delayed.jitterBufferTarget = delayMs
    delayed.playoutDelayHint = delayMs === null ? null : delayMs / 1_000
  }
}

export type SendShape = ReturnType<typeof createSendShape>
export type ShapeLimits = Pick<SendLimits, 'soundPacketMs' | 'ceilingKbps'>

/**
 * The length of the sent sound packets, and the highest bit rate of sound and picture. They are written into the peer's description, as which
 * Chromium alone follows them.
 */
export function createSendShape() {
  let { soundPacketMs, ceilingKbps }: ShapeLimits = { soundPacketMs: DEFAULT_PACKET_MS, ceilingKbps: null }
  let maxKbps = MAX_KBPS
  let ceilingsSet = 0

  /** An ICE restart ends the limit of libwebrtc unless its number changes. */
  function withCeiling(sdp: string, kbps: number): string {
    ceilingsSet += 1
    return withVideoBandwidth(sdp, kbps + (ceilingsSet % 2))
  }

  return {
    /** Returns false if nothing changes. */
    change(limits: ShapeLimits): boolean {
      const isSame = limits.soundPacketMs === soundPacketMs && limits.ceilingKbps === ceilingKbps
      if (isSame || !isChromium()) return false
      soundPacketMs = limits.soundPacketMs
      ceilingKbps = limits.ceilingKbps
      return true
    },

    /** Raises the limit that measures the network. Returns false where there is none. */
    raise(): boolean {
      if (!isChromium() || ceilingKbps !== null) return false
      maxKbps += 1
      return true
    },

    /** Returns a description that has come from the peer with this shape. */
    inNew(sdp: string): string {
      const packed = soundPacketMs === DEFAULT_PACKET_MS ? sdp : withPacketTime(sdp, soundPacketMs)
      return ceilingKbps === null ? packed : withCeiling(packed, ceilingKbps)
    },

    /** Returns the current description of the peer with this shape in place of an earlier one. */
    inCurrent(sdp: string): string {
      const packed = withPacketTime(sdp, soundPacketMs)
      return ceilingKbps === null ? withVideoBandwidth(packed, maxKbps) : withCeiling(packed, ceilingKbps)
    },
  }
}

export function isChromium(): boolean {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent)
}
