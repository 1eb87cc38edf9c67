import { batch, type ReadonlySignal, signal } from '@preact/signals-react'

export type SearchStore = ReturnType<typeof createSearchStore>

/** What the hub tells about the search for a match. */
export function createSearchStore() {
  const others = signal<number | null>(null)
  const speaking = signal<number | null>(null)
  return {
    /** How many others search, rounded down above `QUEUE_SIZE_EXACT_MAX`; null until the hub has told it. */
    others: others as ReadonlySignal<number | null>,
    /** How many of them speak a language of this user; null if the user has chosen none, or an older server does not say it. */
    speaking: speaking as ReadonlySignal<number | null>,
    began(): void {
      batch(() => {
        others.value = null
        speaking.value = null
      })
    },
    takeSize(size: number, speakingSize?: number): void {
      batch(() => {
        others.value = size
        speaking.value = speakingSize ?? null
      })
    },
  }
}
