import type { AcceptedMedia, NoPictureReason } from '#protocol/peer.ts'
import type { PictureChoice } from '../../platform/rules/picture-choice.ts'
import type { CallSample } from './call-reading.ts'
import type { LossState } from './loss.ts'
import type { Rungs } from './rungs.ts'

/**
 * Upper limits of what is sent. `noPicture`: why only sound is sent; null with a picture. `stills`: the picture does not move.
 * `scaleDownBy` divides width and height of the camera's picture. `isLossy`: a codec that tolerates loss is used.
 */
export type SendLimits = {
  noPicture: NoPictureReason | null
  stills: boolean
  maxKbps: number
  maxFrameRate: number
  scaleDownBy: number
  layers: 1 | 3
  isLossy: boolean
  soundKbps: number
  /** Length of a sound packet in milliseconds. Longer packets need less data for headers, but arrive later. */
  soundPacketMs: 20 | 60 | 120
  /** Limit of all that is sent, which includes the bursts that measure the network; null without a limit. */
  ceilingKbps: number | null
}

type Picture = { maxKbps: number; maxFrameRate: number; shortSide: number }

/** Highest limits of each picture choice. `saver` takes 120 MB an hour for sound and picture in both directions. */
const allowed: Record<PictureChoice, Picture> = {
  best: { maxKbps: 2_500, maxFrameRate: 30, shortSide: 720 },
  balanced: { maxKbps: 900, maxFrameRate: 30, shortSide: 480 },
  saver: { maxKbps: 70, maxFrameRate: 12, shortSide: 240 },
  sound: { maxKbps: 70, maxFrameRate: 12, shortSide: 240 },
}

/** Steps for a device that is too slow for its picture. The first step has no limit. */
const device: readonly Omit<Picture, 'maxKbps'>[] = [
  { maxFrameRate: 30, shortSide: Number.POSITIVE_INFINITY },
  { maxFrameRate: 24, shortSide: 480 },
  { maxFrameRate: 15, shortSide: 360 },
  { maxFrameRate: 10, shortSide: 240 },
]
export const SLOWEST_DEVICE = device.length - 1

/** Steps for a network. Congestion control decides alone until sound and picture do not fit together. */
export const networkSteps = { wide: 0, narrow: 1, still: 2, soundOnly: 3 } as const
/** The small pictures of narrow networks: a larger first frame would fill the network's queue for seconds. */
const narrow: Picture = { maxKbps: 40, maxFrameRate: 10, shortSide: 180 }
const still: Picture = { maxKbps: 12, maxFrameRate: 1, shortSide: 180 }
const hidden: Picture = { maxKbps: 80, maxFrameRate: 5, shortSide: 180 }

/**
 * Limits of all that is sent. On a network with loss, Chromium sends up to its estimate to measure the network, even
 * with a picture of 70 kbit/s or with sound alone.
 */
const SAVER_CEILING_KBPS = 115
const SOUND_CEILING_KBPS = 12

/** Bit rates of the sound. Redundancy doubles what is sent. */
const SOUND_KBPS = 32
const NARROW_SOUND_KBPS = 12
const LOWEST_SOUND_KBPS = 8
const SAVER_SOUND_KBPS = 16
const SOUND_ONLY_KBPS = 6
/** The choice `sound` takes 20 MB an hour in both directions together; half of that are headers. */
const soundAllowed: Record<PictureChoice, number> = {
  best: SOUND_KBPS,
  balanced: SOUND_KBPS,
  saver: SAVER_SOUND_KBPS,
  sound: SOUND_ONLY_KBPS,
}

/**
 * Returns the limits of what is sent. A captured size of 0 (unknown) is not scaled. `accepted` is null if the peer has not sent what it
 * accepts. `relayKbps` limits the picture's bit rate while either side is relayed; the browser then chooses the size.
 */
export function limitsOf(
  { network, device: slow, last, loss }: { network: Rungs; device: Rungs; last: CallSample | null; loss: LossState },
  choice: PictureChoice,
  isHidden: boolean,
  accepted: AcceptedMedia | null,
  relayKbps: number = Number.POSITIVE_INFINITY,
): SendLimits {
  const pictures = [
    allowed[choice],
    ...(accepted ? [accepted] : []),
    ...(network.level >= networkSteps.narrow ? [narrow] : []),
    ...(network.level >= networkSteps.still ? [still] : []),
    ...(isHidden ? [hidden] : []),
    ...(last?.isRelayed || last?.pair?.kind === 'relay' ? [{ ...allowed.best, maxKbps: relayKbps }] : []),
  ]
  const steps = [...pictures, device[slow.level] ?? { maxFrameRate: 30, shortSide: 720 }]
  const soundKbps = Math.min(soundKbpsOf(network.level, choice), accepted?.soundKbps ?? SOUND_KBPS)
  const shortSide = Math.min(...steps.map((step) => step.shortSide))
  return {
    noPicture: reasonForNoPicture(network.level, choice, accepted),
    stills: network.level === networkSteps.still,
    maxKbps: Math.min(...pictures.map(({ maxKbps }) => maxKbps)),
    maxFrameRate: Math.min(...steps.map(({ maxFrameRate }) => maxFrameRate)),
    scaleDownBy: Math.max(1, (last?.capturedSide ?? 0) / shortSide),
    layers: loss.layers,
    isLossy: loss.isLossy,
    soundKbps,
    soundPacketMs: packetMsOf(soundKbps),
    ceilingKbps: ceilingOf(choice, accepted),
  }
}

/**
 * Returns the ceiling; null if there is none. The network's steps set no ceiling: only traffic above it would show that
 * the network has become faster.
 */
function ceilingOf(choice: PictureChoice, accepted: AcceptedMedia | null): number | null {
  if (choice === 'sound' || accepted?.picture === false) return SOUND_CEILING_KBPS
  const maxKbps = Math.min(allowed[choice].maxKbps, accepted?.maxKbps ?? Number.POSITIVE_INFINITY)
  return maxKbps <= allowed.saver.maxKbps ? SAVER_CEILING_KBPS : null
}

/** Returns what this side wants to receive: at most its user's choice, and at most what a slow device can show. */
export function acceptedMedia({ device: slow }: { device: Rungs }, choice: PictureChoice): AcceptedMedia {
  const { maxKbps, maxFrameRate, shortSide } = allowed[choice]
  const step = device[slow.level]
  return {
    picture: choice !== 'sound',
    maxKbps,
    maxFrameRate: Math.min(maxFrameRate, step?.maxFrameRate ?? maxFrameRate),
    shortSide: Math.min(shortSide, step?.shortSide ?? shortSide),
    soundKbps: soundKbpsOf(networkSteps.wide, choice),
  }
}

function reasonForNoPicture(
  level: number,
  choice: PictureChoice,
  accepted: AcceptedMedia | null,
): NoPictureReason | null {
  if (choice === 'sound') return 'choice'
  if (level >= networkSteps.soundOnly) return 'network'
  return accepted?.picture === false ? 'peer' : null
}

function soundKbpsOf(level: number, choice: PictureChoice): number {
  return Math.min(soundAllowed[choice], soundCarried(level))
}

/** At a low bit rate headers take a large share, so packets are longer. */
function packetMsOf(soundKbps: number): SendLimits['soundPacketMs'] {
  if (soundKbps <= SOUND_ONLY_KBPS) return 120
  return soundKbps <= SAVER_SOUND_KBPS ? 60 : 20
}

function soundCarried(level: number): number {
  if (level >= networkSteps.still) return LOWEST_SOUND_KBPS
  return level === networkSteps.narrow ? NARROW_SOUND_KBPS : SOUND_KBPS
}
