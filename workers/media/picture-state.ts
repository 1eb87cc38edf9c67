import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import { isLooped, type LoopReading } from './picture-loop.ts'
import { changedCells, type PictureReading, rangeOf } from './picture-reading.ts'

/**
 * Time for which a picture must be black before its state is `black`. A camera that starts sends black pictures, and a
 * peer may tell only three seconds after the connection that its camera is off.
 */
const blackMs = { own: 2_000, peer: 4_000 } as const
/** Time for which a condition must be absent before the picture is `fine` again, so that the state does not flicker. */
const FINE_MS = 1_500
/** After a longer pause without readings, such as that of a hidden page, earlier readings tell nothing about the picture. */
const PAUSE_MS = 6_000

/** Luminance, 0 to 255, below which nearly every block of a black picture lies. */
const BLACK_BELOW = 12
/** A covered lens lets some light through, which the camera amplifies. Its picture shows no shapes; that of a dim room does. */
const COVERED_BELOW = 36
const COVERED_CONTRAST = 8

/**
 * A picture stands still while fewer than `STILL_CELLS` of its 3136 cells differ by `levels`, for `ms`. The noise of a
 * camera changes at least a tenth of the cells. A codec removes that noise: an empty room that arrives over H264 does
 * not change at all. So a peer's picture must stand still for longer than a person usually leaves the picture.
 */
const STILL_CELLS = 4
const stillness = { own: { levels: 1, ms: 5_000 }, peer: { levels: 2, ms: 15_000 } } as const
/** Most readings that are kept for comparison: two minutes at one a second. */
const READINGS_KEPT = 128

/** `at` is the time of the reading, in ms. Returns null while there are too few readings. */
export type PictureJudge = (reading: PictureReading, at: number) => PictureState | null

/**
 * Judges one picture by its readings over time. The caller passes each frame once: a repeated frame counts as a picture that stands still.
 */
export function createPictureJudge(of: PictureOf): PictureJudge {
  const { levels, ms: stillMs } = stillness[of]
  const black = createRun(blackMs[of])
  const still = createRun(stillMs)
  const looped = createRun(0)
  let earlier: readonly LoopReading[] = []
  let last: LoopReading | null = null

  function forget(): void {
    for (const run of [black, still, looped]) run.forget()
    earlier = []
    last = null
  }

  return (reading, at) => {
    if (last && at - last.at > PAUSE_MS) forget()
    const before = last
    last = { reading, at }
    const isBlack = isDark(reading)
    const hasChanged = !before || changedCells(before.reading, reading, levels) >= STILL_CELLS
    black.step(isBlack, at, at)
    still.step(!isBlack && !hasChanged, at, before?.at ?? at)
    // A picture that stands still repeats itself, but is no loop.
    if (hasChanged) {
      looped.step(isLooped(earlier, last), at, at)
      earlier = [...earlier.slice(1 - READINGS_KEPT), last]
    }
    if (black.isOn()) return 'black'
    if (still.isOn()) return 'still'
    if (looped.isOn()) return 'looped'
    return !before || black.isBegun() || still.isBegun() ? null : 'fine'
  }
}

function isDark(reading: PictureReading): boolean {
  const { low, high } = rangeOf(reading)
  return high < BLACK_BELOW || (high < COVERED_BELOW && high - low < COVERED_CONTRAST)
}

/** A condition of the picture: on after it was seen for `onMs` without a break, off after it was not seen for FINE_MS. */
function createRun(onMs: number) {
  let since: number | null = null
  let missedSince: number | null = null
  let isOn = false
  return {
    /** `from`: since when the condition holds, if it was not seen before. */
    step(isSeen: boolean, at: number, from: number): void {
      if (isSeen) {
        since ??= from
        missedSince = null
        isOn ||= at - since >= onMs
        return
      }
      since = null
      missedSince ??= at
      isOn &&= at - missedSince < FINE_MS
    },
    isOn: () => isOn,
    isBegun: () => since !== null,
    forget(): void {
      since = null
      missedSince = null
      isOn = false
    },
  }
}
