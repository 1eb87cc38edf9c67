import type { GovernorState, SendLimits } from './governor.ts'
import { mediaSettings, type Tier } from './quality-tier.ts'

type Rung = { maxKbps: number; maxFrameRate: number; shortSide: number }

/** Levels from the best picture to the smallest in which a face is recognisable. */
export const ladder: readonly Rung[] = [
  { maxKbps: 2_500, maxFrameRate: 30, shortSide: 720 },
  { maxKbps: 1_500, maxFrameRate: 30, shortSide: 720 },
  { maxKbps: 900, maxFrameRate: 24, shortSide: 480 },
  { maxKbps: 500, maxFrameRate: 20, shortSide: 360 },
  { maxKbps: 250, maxFrameRate: 15, shortSide: 240 },
  { maxKbps: 120, maxFrameRate: 10, shortSide: 180 },
]
export const LOWEST = ladder.length - 1
/** Limits while the user's page is hidden. */
const whileHidden: Rung = { maxKbps: 80, maxFrameRate: 5, shortSide: 180 }

/** Returns the best level for a tier's capture settings. */
export function bestLevelOf(tier: Tier): number {
  return ladder.findIndex(({ shortSide }) => shortSide <= capturedBy(tier))
}

/** Computes the limits from the captured size, which may differ from the tier's settings. */
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
