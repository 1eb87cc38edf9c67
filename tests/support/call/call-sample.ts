import type { CallSample } from '../../../src/call/rules/call-reading.ts'

/** Returns the sample of one second of a call without trouble, changed by the given values. */
export function sampleAt(second: number, given: Partial<CallSample> = {}): CallSample {
  return {
    at: second * 1_000,
    framesDecoded: second * 30,
    framesDropped: 0,
    freezes: 0,
    decodeSeconds: second * 0.05,
    encodeSeconds: second * 0.1,
    audioPacketsReceived: second * 50,
    audioPacketsLost: 0,
    soundSamples: second * 48_000,
    concealedSamples: 0,
    packetsReceived: second * 200,
    packetsLost: 0,
    remoteLoss: 0,
    roundTripMs: 60,
    availableKbps: 4_000,
    bytesSent: second * 312_500,
    bytesReceived: second * 312_500,
    bytesOnWire: second * 640_000,
    framesEncoded: second * 30,
    limitedBy: 'none',
    capturedSide: 720,
    sentHeight: 720,
    sentSide: 720,
    receivedHeight: 720,
    codec: 'video/VP8',
    isRelayed: false,
    pair: { kind: 'srflx', way: 'udp', family: 'ipv4' },
    isUdpBlocked: false,
    ...given,
  }
}
