import { type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { DeletionState } from '#protocol/my-data.ts'
import type { Api, Log } from '../domain/ports.ts'

/** `unknown` is a code that was never given out, `unread` one that could not be asked for. */
type ShownState = DeletionState | 'reading' | 'unknown' | 'unread'

export type DeletionStatusStore = ReturnType<typeof createDeletionStatusStore>

/** What became of a deletion whose confirmation code somebody has. */
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
