import { type ReadonlySignal, signal } from '@preact/signals-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { DeletionState } from '#protocol/deletion.ts'
import { toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import styles from '../status-card.module.css'

/** Shows the state of a deletion that was requested at Facebook. The URL contains its confirmation code. */
export function DeletionStatusPage({ store }: { store: DeletionStatusStore }) {
  const { read } = store
  const t = useTexts()
  const title = t('deletion-status.title')
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const state = store.state.value

  useEffect(() => void read(code), [read, code])

  return (
    <PublicPage title={title}>
      <section className={classNames(styles.card, styles.spaced)}>
        <h1>{title}</h1>
        <p role="status">{t(`deletion-status.${state}`)}</p>
        {state === 'unread' && (
          <Button variant="quiet" onClick={() => void read(code)}>
            {t('deletion-status.retry')}
          </Button>
        )}
        <Link to="/fb-data-deletion">{t('deletion-status.more')}</Link>
      </section>
    </PublicPage>
  )
}

/** `unknown`: the code does not exist. `unread`: the request failed. */
type ShownState = DeletionState | 'reading' | 'unknown' | 'unread'

type DeletionStatusStore = ReturnType<typeof createDeletionStatusStore>

/** Reads the state of a deletion by its confirmation code. */
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
