import type { GovernorState, SendLimits } from './governor.ts'
import { mediaSettings, type Tier } from './quality-tier.ts'

type Rung = { maxKbps: number; maxFrameRate: number; shortSide: number }

/** From the best picture to the smallest that is still a face. */
export const ladder: readonly Rung[] = [
  { maxKbps: 2_500, maxFrameRate: 30, shortSide: 720 },
  { maxKbps: 1_500, maxFrameRate: 30, shortSide: 720 },
  { maxKbps: 900, maxFrameRate: 24, shortSide: 480 },
  { maxKbps: 500, maxFrameRate: 20, shortSide: 360 },
  { maxKbps: 250, maxFrameRate: 15, shortSide: 240 },
  { maxKbps: 120, maxFrameRate: 10, shortSide: 180 },
]
export const LOWEST = ladder.length - 1
/** Nobody sees the page: enough to show that there is somebody. */
const whileHidden: Rung = { maxKbps: 80, maxFrameRate: 5, shortSide: 180 }

/** The best level for what a tier captures. */
export function bestLevelOf(tier: Tier): number {
  return ladder.findIndex(({ shortSide }) => shortSide <= capturedBy(tier))
}

/** The camera may give another picture than its tier asked for. */
export function limitsOf(
  { level, last }: Pick<GovernorState, 'level' | 'last'>,
  tier: Tier,
  hidden: boolean,
): SendLimits {
  const { maxKbps, maxFrameRate, shortSide } = (hidden ? undefined : ladder[level]) ?? whileHidden
  return { maxKbps, maxFrameRate, scaleDownBy: Math.max(1, (last?.capturedSide || capturedBy(tier)) / shortSide) }
}

function capturedBy(tier: Tier): number {
  return mediaSettings(tier, false).video.height.ideal
}
