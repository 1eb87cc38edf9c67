/** Random numbers that repeat for the same seed. */
export function createDice(seed: number) {
  let state = seed >>> 0
  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const oneOf = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0]
  return { next, below, oneOf, chance: (part: number) => next() < part }
}
export type Dice = ReturnType<typeof createDice>

/** A number from `low` to `high`. */
export const between = (dice: Dice, low: number, high: number): number => low + dice.next() * (high - low)
