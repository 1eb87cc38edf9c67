import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { HubState } from '../domain/ports.ts'

export type HubStore = ReturnType<typeof createHubStore>

/** State of the hub connection, for the screens. A running call does not depend on it. */
export function createHubStore() {
  const state = signal<HubState>('disconnected')
  return {
    state: state as ReadonlySignal<HubState>,
    changed(next: HubState): void {
      state.value = next
    },
  }
}
