/** Somebody who waits. Among those with the same `since`, the drawn `lot` decides. */
export type QueueEntry = {
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

/** Somebody's place in one line. */
export type ListNode = {
  readonly entry: QueueEntry
  list: WaitingList | null
  before: ListNode | null
  after: ListNode | null
}

/** Which of the two has waited less long. */
export function isLater(one: QueueEntry, other: QueueEntry): boolean {
  return one.since === other.since ? one.lot > other.lot : one.since > other.since
}

/**
 * Places in the order of waiting. Removing and looking at the first cost O(1); adding costs one step for each place
 * that has waited less long.
 */
export class WaitingList {
  #first: ListNode | null = null
  #last: ListNode | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): ListNode | null {
    return this.#first
  }

  add(place: QueueEntry): ListNode {
    let before = this.#last
    while (before && isLater(before.entry, place)) before = before.before
    const seat: ListNode = { entry: place, list: this, before, after: before ? before.after : this.#first }
    if (seat.before) seat.before.after = seat
    else this.#first = seat
    if (seat.after) seat.after.before = seat
    else this.#last = seat
    this.#size += 1
    return seat
  }

  /** Does nothing with a seat that is in the line no more. */
  remove(seat: ListNode): void {
    if (seat.list !== this) return
    seat.list = null
    this.#size -= 1
    if (seat.before) seat.before.after = seat.after
    else this.#first = seat.after
    if (seat.after) seat.after.before = seat.before
    else this.#last = seat.before
  }

  *[Symbol.iterator](): Generator<QueueEntry> {
    for (let seat = this.#first; seat; seat = seat.after) yield seat.entry
  }
}
