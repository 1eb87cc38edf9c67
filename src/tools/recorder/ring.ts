export type Ring<Item> = { add(item: Item): void; items(): Item[] }

/** Keeps the last `size` items, oldest first. */
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
