import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { DeletionState } from '#protocol/deletion.ts'
import { toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'

/** `unknown`: the code does not exist. `unread`: the request failed. */
type ShownState = DeletionState | 'reading' | 'unknown' | 'unread'

export type DeletionStatusStore = ReturnType<typeof createDeletionStatusStore>

/** The state of a deletion by its confirmation code. */
export function createDeletionStatusStore(api: Api, log: Log) {
  const state = signal<ShownState>('reading')
  return {
    state: state as ReadonlySignal<ShownState>,
    async read(code: string): Promise<void> {
      state.value = 'reading'
      try {
        state.value = (await api.request('readDeletionStatus', { code })).state
      } catch (thrown) {
        const { code: reason } = toAppError(thrown)
        state.value = reason === 'not-found' || reason === 'bad-request' ? 'unknown' : 'unread'
        if (state.value === 'unread') log.error('The state of a deletion was not read', thrown)
      }
    },
  }
}
