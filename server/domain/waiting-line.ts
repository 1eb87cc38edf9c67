/** Somebody who waits. Among those with the same `since`, the drawn `lot` decides. */
export type Place = {
  readonly user: string
  /** That of the server where their connection is. */
  readonly region: string
  /** They may meet people of other regions from the beginning. */
  readonly spills: boolean
  readonly since: number
  readonly lot: number
  blocked: Set<string>
  met: Set<string>
}

type Node = { place: Place; before: Node | null; after: Node | null }

/** Which of the two has waited less long. */
export function isLater(one: Place, other: Place): boolean {
  return one.since === other.since ? one.lot > other.lot : one.since > other.since
}

/**
 * Places in the order of waiting. Removing and looking at the first cost O(1); adding costs one step for each place
 * that has waited less long.
 */
export class WaitingLine {
  readonly #nodes = new Map<string, Node>()
  #first: Node | null = null
  #last: Node | null = null

  get size(): number {
    return this.#nodes.size
  }

  first(): Place | null {
    return this.#first?.place ?? null
  }

  has(user: string): boolean {
    return this.#nodes.has(user)
  }

  find(user: string): Place | null {
    return this.#nodes.get(user)?.place ?? null
  }

  add(place: Place): void {
    let before = this.#last
    while (before && isLater(before.place, place)) before = before.before
    const node: Node = { place, before, after: before ? before.after : this.#first }
    if (node.before) node.before.after = node
    else this.#first = node
    if (node.after) node.after.before = node
    else this.#last = node
    this.#nodes.set(place.user, node)
  }

  remove(user: string): Place | null {
    const node = this.#nodes.get(user)
    if (!node) return null
    this.#nodes.delete(user)
    if (node.before) node.before.after = node.after
    else this.#first = node.after
    if (node.after) node.after.before = node.before
    else this.#last = node.before
    return node.place
  }

  *[Symbol.iterator](): Generator<Place> {
    for (let node = this.#first; node; node = node.after) yield node.place
  }
}
