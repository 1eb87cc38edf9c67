/** What is asked of an encoder at most. */
const demand = { width: 1280, height: 720, framerate: 30, bitrate: 2_500_000 }

/**
 * The codecs of a video transceiver, in the order for its `setCodecPreferences`: what a part of the hardware encodes comes
 * first, then, where the CPU is short, H264, which costs it least. Empty where the browser does not tell its codecs.
 */
export async function preferredCodecs(weakCpu: boolean): Promise<RTCRtpCodec[]> {
  const known = RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
  const ranked = await Promise.all(known.map(async (codec) => ({ codec, rank: await rankOf(codec, weakCpu) })))
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ codec }) => codec)
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
    // Asked for what is no codec of its own (retransmission), or in a browser that does not know the question.
    return false
  }
}
