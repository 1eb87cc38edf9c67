import { MATCHING_FACES } from '#protocol/constants.ts'
import { faceNames } from '../../parts/faces.ts'

type PlacedFace = { name: string; degrees: number }

/** What the page shows for five seconds: faces around the circle and the number of a piece of advice, with the one before it. */
export type Round = { count: number; faces: readonly PlacedFace[]; tip: Tip; tipBefore: Tip | null }

const tips = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
type Tip = (typeof tips)[number]

/** `count` different items in random order. */
function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const rest = [...items]
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat()
}

/** Never the advice that was there before. `random` answers numbers from 0 to below 1. */
export function nextRound(before: Round | null, random: () => number): Round {
  const names = sample([...faceNames.man, ...faceNames.woman], MATCHING_FACES, random)
  const start = random() * 360
  const [tip = 0] = sample<Tip>(
    tips.filter((each) => each !== before?.tip),
    1,
    random,
  )
  return {
    count: (before?.count ?? 0) + 1,
    // Even steps keep the faces apart; the jitter keeps them from looking like a clock.
    faces: names.map((name, index) => ({
      name,
      degrees: start + (360 / names.length) * index + (random() - 0.5) * 16,
    })),
    tip,
    tipBefore: before?.tip ?? null,
  }
}
