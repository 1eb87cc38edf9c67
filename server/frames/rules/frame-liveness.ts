import { FRAME_INTERVAL_MS } from '#protocol/constants.ts'
import { differenceOf, type PicturePrint } from './picture-print.ts'

/**
 * Most cells in which pictures of a still scene differ. The pictures of a real camera, even before a wall, sometimes differ in more cells.
 */
const SAME_CELLS = 1
/** A stay with fewer expected pictures is not judged; six are expected in a minute. */
const JUDGED_FRAMES = 6
const LONG_GAP_MS = 60_000
/** Repeats of the same picture that moderators should see: two minutes of it. */
const MANY_REPEATS = 12

type ArrivedFrame = PicturePrint & { at: number; changed: boolean }

/** Statistics of the pictures of one stay on the dashboard. A black picture counts as received: a camera that is off is no gap. */
export type FrameLiveness = {
  /** Number of pictures that the dashboard should have sent, one every 10 s. */
  expected: number
  came: number
  /** Pictures from a camera that was off or covered. */
  black: number
  /** Pictures that the sender's browser replaced by noise. */
  changed: number
  longestGapMs: number
  /** The longest run of pictures that look the same, without black and changed pictures; 1 if no two successive ones look the same. */
  sameFrameRepeated: number
}

function longestRun(frames: readonly ArrivedFrame[]): number {
  let longest = 0
  let run = 0
  let last: bigint | null = null
  for (const { print, black, changed } of frames) {
    if (black || changed) {
      last = null
      continue
    }
    run = last !== null && differenceOf(last, print) <= SAME_CELLS ? run + 1 : 1
    last = print
    longest = Math.max(longest, run)
  }
  return longest
}

/** `frames` are in the order of arrival, and came between `from` and `to`. */
export function livenessOf(stay: { from: number; to: number }, frames: readonly ArrivedFrame[]): FrameLiveness {
  const times = [stay.from, ...frames.map(({ at }) => at), stay.to]
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return {
    expected: Math.floor((stay.to - stay.from) / FRAME_INTERVAL_MS),
    came: frames.length,
    black: frames.filter(({ black }) => black).length,
    changed: frames.filter(({ changed }) => changed).length,
    longestGapMs: Math.max(...gaps),
    sameFrameRepeated: longestRun(frames),
  }
}

/** True if moderators should see these statistics. They never lead to a sanction: a hidden page sends no pictures either. */
export function isNotable({ expected, longestGapMs, sameFrameRepeated, changed }: FrameLiveness): boolean {
  const isOdd = longestGapMs >= LONG_GAP_MS || sameFrameRepeated >= MANY_REPEATS || changed > 0
  return expected >= JUDGED_FRAMES && isOdd
}
