/** What passed a limit at one place: how often, and by the highest value. */
export type Place = { where: string; count: number; worst: number }
export type Tally = { add(where: string, value: number): void; places(): Place[] }

/** Places above this number are not kept. */
const PLACES_MAX = 100

/** Counts by place, such as a method or a function. */
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
