/** Collections of limited size. */

/** Most entries of a list that is read from the storage, more than any ring has. */
export const ENTRIES_MAX = 5_000

export type Ring<Item> = { add(item: Item): void; items(): Item[] }

/** A collection of the last `size` items, oldest first. */
export function createRing<Item>(size: number): Ring<Item> {
  const kept: Item[] = []
  let next = 0
  return {
    add(item) {
      kept[next] = item
      next = (next + 1) % size
    },
    items: () => (kept.length < size ? [...kept] : [...kept.slice(next), ...kept.slice(0, next)]),
  }
}

/** A place, such as a method or a screen, in which a limit was exceeded: how often, and the highest value. */
export type Place = { where: string; count: number; worst: number }
export type Tally = { add(where: string, value: number): void; places(): Place[] }

/** Most places of a tally; further places are ignored. */
const PLACES_MAX = 100

/** Counts by place. */
export function createTally(): Tally {
  const places = new Map<string, Place>()
  return {
    add(where, value) {
      const place = places.get(where) ?? { where, count: 0, worst: 0 }
      if (!places.has(where) && places.size >= PLACES_MAX) return
      places.set(where, { where, count: place.count + 1, worst: Math.max(place.worst, value) })
    },
    places: () => [...places.values()],
  }
}
