import { batch, type ReadonlySignal, signal } from '@preact/signals-react'
import type { HubState } from '../ports.ts'

export type HubStore = ReturnType<typeof createHubStore>

/** The state of the hub connection, for the screens. A call in progress does not depend on it. */
export function createHubStore() {
  const state = signal<HubState>('disconnected')
  return {
    state: state as ReadonlySignal<HubState>,
    changed(next: HubState): void {
      state.value = next
    },
  }
}

export type SearchStore = ReturnType<typeof createSearchStore>

/** What the hub sends about the search for a match. */
export function createSearchStore() {
  const others = signal<number | null>(null)
  const speaking = signal<number | null>(null)
  return {
    /** How many others search, rounded down above `QUEUE_SIZE_EXACT_MAX`; null until the hub has sent it. */
    others: others as ReadonlySignal<number | null>,
    /** How many of the others speak a language of this user; null if the user chose none, or from an older server. */
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
