import { distanceOf, type PictureReading } from './picture-reading.ts'

export type LoopReading = { reading: PictureReading; at: number }

/**
 * Shortest period of a loop. Readings a multiple of the period apart, or SAME_MOMENT_MS more or less, which is below a
 * frame, show the same moment.
 */
const PERIOD_MIN_MS = 2_000
const SAME_MOMENT_MS = 25
/** Largest multiple of a period at which readings are compared. */
const MULTIPLES = 4
/** Readings whose distance in time from a multiple of the period is in this range, in ms, show different moments. */
const OTHER_MOMENT_MS = [400, 2_500] as const
/** Typical difference of two readings, in levels of luminance, below which hardly anything moves and nothing is judged. */
const MOTION_MIN = 1
/** Two readings match if their difference is at most this share of the typical difference. */
const MATCH_SHARE = 0.15
/** Least number and least share of the pairs of the same moment that match; greatest share of the pairs of other moments that match. */
const MATCHES_MIN = 5
const MATCHES_SHARE = 0.75
const OTHERS_SHARE = 0.25
/**
 * Most periods that are tried for a reading: for a person who often takes the same pose, nearly every earlier reading suggests a period.
 */
const PERIODS_MAX = 3
/** Most pairs of each kind that are compared, spread evenly over the thousands of pairs of two minutes. */
const PAIRS_MAX = 250
/** Earlier readings that tell how much the picture moves. */
const SAMPLES = 16

/**
 * Returns true if the newest reading and the `earlier` ones, the oldest first, repeat themselves: readings a period
 * apart match nearly exactly, again and again, and readings somewhat more or less apart do not. For a person who sits
 * still all pairs match, for a person who sways no pair matches. Compares at most about 1,600 pairs.
 */
export function isLooped(earlier: readonly LoopReading[], newest: LoopReading): boolean {
  const motion = motionOf(earlier, newest)
  if (motion < MOTION_MIN) return false
  const limit = motion * MATCH_SHARE
  const isMatch: IsMatch = (one, other) => distanceOf(one.reading, other.reading) <= limit
  const all = [...earlier, newest]
  return periodsOf(earlier, newest, limit).some((period) => repeatsAfter(period, all, isMatch))
}

/** Returns the periods after which the newest reading may repeat an earlier one, the best match first. */
function periodsOf(earlier: readonly LoopReading[], newest: LoopReading, limit: number): number[] {
  const matches = earlier
    .map(({ reading, at }) => ({ period: newest.at - at, reading }))
    .filter(({ period }) => period >= PERIOD_MIN_MS)
    .map(({ period, reading }) => ({ period, distance: distanceOf(reading, newest.reading) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
  const periods: number[] = []
  for (const { period } of matches) {
    if (periods.length === PERIODS_MAX) break
    if (periods.every((tried) => Math.abs(tried - period) > SAME_MOMENT_MS)) periods.push(period)
  }
  return periods
}

type IsMatch = (one: LoopReading, other: LoopReading) => boolean

/** Returns the typical difference of the newest reading from earlier ones. */
function motionOf(earlier: readonly LoopReading[], newest: LoopReading): number {
  const step = Math.max(1, Math.floor(earlier.length / SAMPLES))
  const distances = earlier
    .filter((_, index) => index % step === 0)
    .map(({ reading }) => distanceOf(reading, newest.reading))
    .sort((one, other) => one - other)
  return distances[Math.floor(distances.length / 2)] ?? 0
}

type Pair = readonly [LoopReading, LoopReading]

/** Returns true if readings that are `period` or a multiple of it apart match, and pairs of other moments do not. */
function repeatsAfter(period: number, all: readonly LoopReading[], isMatch: IsMatch): boolean {
  const { same, others } = pairsOf(period, all)
  if (same.length < MATCHES_MIN) return false
  const needed = Math.max(MATCHES_MIN, Math.ceil(same.length * MATCHES_SHARE))
  if (isOver(same, same.length - needed, (pair) => !isMatch(...pair))) return false
  return !isOver(others, others.length * OTHERS_SHARE, (pair) => isMatch(...pair))
}

/** Returns pairs of readings of the same moment of a loop of this period, and of other moments. */
function pairsOf(period: number, all: readonly LoopReading[]): { same: Pair[]; others: Pair[] } {
  const same: Pair[] = []
  const others: Pair[] = []
  const [near, far] = OTHER_MOMENT_MS
  for (const [index, later] of all.entries()) {
    for (let at = 0; at < index; at += 1) {
      const each = all[at]
      if (!each) continue
      const lag = later.at - each.at
      const multiple = Math.round(lag / period)
      if (multiple < 1 || multiple > MULTIPLES) continue
      const off = Math.abs(lag - multiple * period)
      if (off <= SAME_MOMENT_MS) same.push([each, later])
      else if (off >= near && off <= far) others.push([each, later])
    }
  }
  return { same: spread(same), others: spread(others) }
}

function spread(pairs: readonly Pair[]): Pair[] {
  const step = Math.max(1, pairs.length / PAIRS_MAX)
  return pairs.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Returns true if `is` holds for more than `max` pairs. Stops as soon as it does. */
function isOver(pairs: readonly Pair[], max: number, is: (pair: Pair) => boolean): boolean {
  let count = 0
  return pairs.some((pair) => {
    count += Number(is(pair))
    return count > max
  })
}
