import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { HubState } from '../ports.ts'

export type HubStore = ReturnType<typeof createHubStore>

/** The state of the hub connection. The screens show it; a call in progress does not depend on it. */
export function createHubStore() {
  const state = signal<HubState>('disconnected')
  return {
    state: state as ReadonlySignal<HubState>,
    changed(next: HubState): void {
      state.value = next
    },
  }
}
