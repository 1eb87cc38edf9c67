import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { TransparencyReport } from '#protocol/transparency.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'

/** `none`: nothing is published. `unread`: the request failed. */
type Published = TransparencyReport | 'reading' | 'none' | 'unread'

export type TransparencyStore = ReturnType<typeof createTransparencyStore>

/** The last published transparency report. */
export function createTransparencyStore(api: Api, log: Log) {
  const published = signal<Published>('reading')
  return {
    published: published as ReadonlySignal<Published>,
    async read(): Promise<void> {
      published.value = 'reading'
      try {
        published.value = (await api.request('readTransparency', undefined)).report ?? 'none'
      } catch (thrown) {
        published.value = 'unread'
        log.error('The transparency report was not read', thrown)
      }
    },
  }
}
