import type { PictureChoice } from '../../platform/rules/picture-choice.ts'

/**
 * Three tiers of capture settings, chosen by downlink speed. A weak device counts only if the browser does not report
 * the speed (docs/product.md LIMIT-20).
 */

type Range = { ideal: number; max: number; min: number }
export type Tier = 'high' | 'medium' | 'low'

export type MediaSettings = {
  video: { width: Range; height: Range; frameRate: Range }
  audio: {
    echoCancellation: true
    noiseSuppression: true
    autoGainControl: true
    sampleRate: number
    channelCount: number
  }
}

const DEFAULT_DOWNLINK_MBIT = 10

/**
 * Bandwidth estimates in a call from which on a tier is reached. They are above the start estimate of a call (600
 * kbit/s), which measures nothing.
 */
const HIGH_KBPS = 1_200
const MEDIUM_KBPS = 700

const tiers: Record<Tier, { width: Range; frameRate: Range; sampleRate: number; channelCount: number }> = {
  high: {
    width: { ideal: 1280, max: 1920, min: 640 },
    frameRate: { ideal: 30, max: 60, min: 15 },
    sampleRate: 48_000,
    channelCount: 2,
  },
  medium: {
    width: { ideal: 854, max: 1280, min: 640 },
    frameRate: { ideal: 24, max: 30, min: 15 },
    sampleRate: 44_100,
    channelCount: 1,
  },
  low: {
    width: { ideal: 640, max: 854, min: 640 },
    frameRate: { ideal: 15, max: 24, min: 15 },
    sampleRate: 44_100,
    channelCount: 1,
  },
}

/**
 * Returns the tier to begin with. `downlink` is in Mbit/s; null if the browser has no estimate. A device with a weak
 * CPU then begins with `medium`.
 */
export function tierFor(downlink: number | null, weakCpu: boolean): Tier {
  if (downlink === null && weakCpu) return 'medium'
  const speed = downlink ?? DEFAULT_DOWNLINK_MBIT
  if (speed >= 5) return 'high'
  return speed >= 2 ? 'medium' : 'low'
}

const order: readonly Tier[] = ['low', 'medium', 'high']

/** The highest tier that each picture choice allows. */
const highest: Record<PictureChoice, Tier> = { best: 'high', balanced: 'medium', saver: 'low', sound: 'low' }

export function cappedTier(tier: Tier, choice: PictureChoice): Tier {
  return order.indexOf(tier) > order.indexOf(highest[choice]) ? highest[choice] : tier
}

/** Returns the highest tier that a call's bandwidth estimate allows, if it is above `tier`; else null. */
export function raisedTier(tier: Tier, availableKbps: number | null): Tier | null {
  const kbps = availableKbps ?? 0
  const carried: Tier = kbps >= HIGH_KBPS ? 'high' : kbps >= MEDIUM_KBPS ? 'medium' : 'low'
  return order.indexOf(carried) > order.indexOf(tier) ? carried : null
}

/** Returns the settings of a picture of 16:9, or in portrait of 9:16. */
export function mediaSettings(tier: Tier, portrait: boolean): MediaSettings {
  const { width, frameRate, sampleRate, channelCount } = tiers[tier]
  const across = { ideal: 0, max: 0, min: 0 }
  for (const key of ['ideal', 'max', 'min'] as const) across[key] = Math.round((width[key] * 9) / 16)
  return {
    video: portrait ? { width: across, height: width, frameRate } : { width, height: across, frameRate },
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, sampleRate, channelCount },
  }
}
