import type { Waivers } from './meeting-terms.ts'

/** The entry of one user in the queue. The lower `lot`, a random number, comes first among entries with the same `since`. */
export type QueueEntry = Waivers & {
  readonly user: string
  /** The region of the server that has the user's connection. */
  readonly region: string
  /** Codes of languages; empty when the user has named none. */
  readonly languages: readonly string[]
  readonly interests: readonly string[]
  /** True for a user who is not trusted. Users apart meet each other first, ordinary users too. Fixed by the join. */
  readonly apart: boolean
  /** Start of the wait, in milliseconds since 1970. */
  readonly since: number
  readonly lot: number
  blocked: Set<string>
  met: Set<string>
}

/** An entry's node in one list; `list` is null once the node is removed. */
export type ListNode = {
  readonly entry: QueueEntry
  list: WaitingList | null
  before: ListNode | null
  after: ListNode | null
}

/** True when `one` comes after `other` in the order of waiting. */
export function isLater(one: QueueEntry, other: QueueEntry): boolean {
  return one.since === other.since ? one.lot > other.lot : one.since > other.since
}

/** Queue entries, the longest wait first. To remove a node costs O(1); to add one, a step for each entry that comes later. */
export class WaitingList {
  #first: ListNode | null = null
  #last: ListNode | null = null

  get first(): ListNode | null {
    return this.#first
  }

  add(entry: QueueEntry): ListNode {
    let before = this.#last
    while (before && isLater(before.entry, entry)) before = before.before
    const node: ListNode = { entry, list: this, before, after: before ? before.after : this.#first }
    if (node.before) node.before.after = node
    else this.#first = node
    if (node.after) node.after.before = node
    else this.#last = node
    return node
  }

  /** Does nothing with a node that is not in this list. */
  remove(node: ListNode): void {
    if (node.list !== this) return
    node.list = null
    if (node.before) node.before.after = node.after
    else this.#first = node.after
    if (node.after) node.after.before = node.before
    else this.#last = node.before
  }
}
