import type { SendLimits } from '../rules/send-ladder.ts'
import { withPacketTime, withVideoBandwidth } from './sdp.ts'

const KBIT = 1_000
/** A limit that falls by this factor means that the network has become slow: its queue would take seconds. */
const FAR_LESS = 10

/** Length of the sound packets that browsers send by default. */
const DEFAULT_PACKET_MS = 20
/** Higher than any other limit of the picture. Raising it makes libwebrtc measure the network. */
const MAX_KBPS = 4_000

/** Fields that some browsers, and TypeScript's types, do not have. */
type Encoding = RTCRtpEncodingParameters & { codec?: RTCRtpCodec; scalabilityMode?: string }

/** Properties of a receiver that delay its playback: milliseconds today, seconds in older Chromium. */
type DelayedReceiver = Omit<RTCRtpReceiver, 'jitterBufferTarget'> & {
  jitterBufferTarget?: number | null
  playoutDelayHint?: number | null
}

/** Limits what is sent. If a browser refuses codec and layers, the other limits are set without them. */
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
  // Not every browser reports the codecs of a sender.
  const robust = limits.isLossy ? parameters.codecs?.find(isRobust) : undefined
  if (robust) {
    try {
      await sender.setParameters(limited({ codec: robust, scalabilityMode: `L1T${limits.layers}` }))
      return
    } catch {
      // The limits are set below without codec and layers.
    }
  }
  await sender.setParameters(limited({}))
}

/** Switches the stream off, which drops the packets in its queue. Afterwards it begins with a key frame. */
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
 * Restores the full size of the picture at once. By itself, Chromium takes ten seconds and more on a network that is
 * fast again. A change of `degradationPreference` makes it do so immediately.
 */
export async function restoreSize(connection: RTCPeerConnection): Promise<void> {
  const sender = connection.getSenders().find(({ track }) => track?.kind === 'video')
  if (!sender) return
  for (const degradationPreference of ['balanced', 'maintain-framerate'] as const)
    await sender.setParameters({ ...sender.getParameters(), degradationPreference })
}

/**
 * Delays playback of sound and picture by at least `delayMs`, which leaves time to send lost packets again. Null leaves
 * the delay to the browser.
 */
export function applyPlaybackDelay(connection: RTCPeerConnection, delayMs: number | null): void {
  for (const receiver of connection.getReceivers()) {
    const delayed: DelayedReceiver = receiver
    // A browser that does not know these properties ignores them.
    delayed.jitterBufferTarget = delayMs
    delayed.playoutDelayHint = delayMs === null ? null : delayMs / 1_000
  }
}

export type SendShape = ReturnType<typeof createSendShape>
export type ShapeLimits = Pick<SendLimits, 'soundPacketMs' | 'ceilingKbps'>

/**
 * Holds the length of the sound packets and the highest bit rate of the picture. They are written into the peer's
 * description, and only Chromium reads them there.
 */
export function createSendShape() {
  let { soundPacketMs, ceilingKbps }: ShapeLimits = { soundPacketMs: DEFAULT_PACKET_MS, ceilingKbps: null }
  let maxKbps = MAX_KBPS
  let ceilingsSet = 0

  /** After an ICE restart libwebrtc ignores a limit with the same number as before, so the number alternates by 1. */
  function withCeiling(sdp: string, kbps: number): string {
    ceilingsSet += 1
    return withVideoBandwidth(sdp, kbps + (ceilingsSet % 2))
  }

  return {
    /** Takes new limits. Returns false if they are the same, or if the browser does not read them. */
    change(limits: ShapeLimits): boolean {
      const isSame = limits.soundPacketMs === soundPacketMs && limits.ceilingKbps === ceilingKbps
      if (isSame || !isChromium()) return false
      soundPacketMs = limits.soundPacketMs
      ceilingKbps = limits.ceilingKbps
      return true
    },

    /**
     * Raises the limit of the picture by 1, so that libwebrtc measures the network. Returns false if the browser does
     * not read the limit, or if a ceiling is set.
     */
    raise(): boolean {
      if (!isChromium() || ceilingKbps !== null) return false
      maxKbps += 1
      return true
    },

    /** Returns a new description of the peer with these limits. */
    inNew(sdp: string): string {
      const packed = soundPacketMs === DEFAULT_PACKET_MS ? sdp : withPacketTime(sdp, soundPacketMs)
      return ceilingKbps === null ? packed : withCeiling(packed, ceilingKbps)
    },

    /** Returns the peer's current description with these limits instead of earlier ones. */
    inCurrent(sdp: string): string {
      const packed = withPacketTime(sdp, soundPacketMs)
      return ceilingKbps === null ? withVideoBandwidth(packed, maxKbps) : withCeiling(packed, ceilingKbps)
    },
  }
}

export function isChromium(): boolean {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent)
}
