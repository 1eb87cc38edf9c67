import { type ReadonlySignal, signal } from '@preact/signals-react'

export type SearchStore = ReturnType<typeof createSearchStore>

/** What the hub tells about the search for a match. */
export function createSearchStore() {
  const others = signal<number | null>(null)
  return {
    /** How many others search, rounded down above `QUEUE_SIZE_EXACT_MAX`; null until the hub has told it. */
    others: others as ReadonlySignal<number | null>,
    began(): void {
      others.value = null
    },
    takeSize(size: number): void {
      others.value = size
    },
  }
}
