import { MATCHING_FACES } from '#protocol/constants.ts'
import { faceNames } from '../../ui/faces.ts'

type PlacedFace = { name: string; degrees: number }

/** What the search page shows for five seconds: faces around the circle, a safety tip, and the tip before it. */
export type Round = { count: number; faces: readonly PlacedFace[]; tip: Tip; tipBefore: Tip | null }

const tips = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
type Tip = (typeof tips)[number]

/** Returns `count` different items in random order. */
function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const rest = [...items]
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat()
}

/** Returns the next round, with another tip than the round before. `random` returns a number from 0 to below 1. */
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
    // Even angles keep the faces apart; the jitter makes them look less regular.
    faces: names.map((name, index) => ({
      name,
      degrees: start + (360 / names.length) * index + (random() - 0.5) * 16,
    })),
    tip,
    tipBefore: before?.tip ?? null,
  }
}
