import { Counter, Histogram, type Registry } from 'prom-client'
import { MINUTE_MS } from '#protocol/durations.ts'
import type { Experience } from '#protocol/experience.ts'

const SECOND_MS = 1_000
/** Shorter pictures say nothing about freezes a minute. */
const PICTURE_MIN_MS = 10 * SECOND_MS
const labelNames = ['browser', 'country'] as const

/**
 * Creates the metrics of what people feel. Browser and country are from closed lists; with all of them there are at most 66 pairs, and
 * 2,600 series a server.
 */
export function createExperienceMetrics(registers: Registry[]): (experience: Experience, country: string) => void {
  const matches = new Counter({
    name: 'waggle_experience_matches_total',
    help: 'Matches as browsers with consent report them, by outcome: connected, failed, left',
    labelNames: ['outcome', ...labelNames],
    registers,
  })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `waggle_experience_${name}`, help, labelNames, buckets, registers })
  const firstFrames = histogram(
    'first_frame_seconds',
    "Time from a match to the peer's first picture, as browsers report it",
    [0.5, 1, 1.5, 2, 3, 5, 8, 13, 20],
  )
  const freezes = histogram(
    'freezes_per_minute',
    'Freezes of the picture a minute, of each call of 10 seconds or more',
    [0, 0.25, 0.5, 1, 2, 4, 8, 16],
  )
  const presses = histogram(
    'inp_seconds',
    'Interaction to Next Paint of the page, at the end of each match',
    [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
  )

  return (experience, country) => {
    const { browser, outcome, inpMs } = experience
    const labels = { browser, country }
    matches.inc({ outcome, ...labels })
    if (inpMs !== undefined) presses.observe(labels, inpMs / SECOND_MS)
    if (experience.outcome !== 'connected') return
    firstFrames.observe(labels, experience.firstFrameMs / SECOND_MS)
    const { picture } = experience
    if (picture && picture.ms >= PICTURE_MIN_MS) freezes.observe(labels, (picture.freezes * MINUTE_MS) / picture.ms)
  }
}
