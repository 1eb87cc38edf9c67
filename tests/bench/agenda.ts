/** What will happen, the earliest first. */
export class Agenda<T> {
  readonly #heap: { at: number; item: T }[] = []

  /** Infinite when nothing will. */
  get next(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
  }

  add(at: number, item: T): void {
    const heap = this.#heap
    let index = heap.length
    for (let above = (index - 1) >> 1; index > 0 && (heap[above]?.at ?? 0) > at; above = (index - 1) >> 1) {
      heap[index] = heap[above] ?? { at, item }
      index = above
    }
    heap[index] = { at, item }
  }

  /** Throws when nothing is left. */
  take(): T {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last) throw new Error('the agenda is empty')
    if (heap.length === 0) return first.item
    let index = 0
    for (;;) {
      let below = 2 * index + 1
      if ((heap[below + 1]?.at ?? Number.POSITIVE_INFINITY) < (heap[below]?.at ?? Number.POSITIVE_INFINITY)) below += 1
      const child = heap[below]
      if (!child || child.at >= last.at) break
      heap[index] = child
      index = below
    }
    heap[index] = last
    return first.item
  }
}
