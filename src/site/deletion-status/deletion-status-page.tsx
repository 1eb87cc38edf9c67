import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import type { DeletionStatusStore } from '../state/deletion-status.ts'
import styles from './deletion-status.module.css'

/** Shows the state of a deletion that was requested at Facebook, by the code in the URL. */
export function DeletionStatusPage({ store }: { store: DeletionStatusStore }) {
  const { read } = store
  const t = useTexts()
  const title = t('deletion-status.title')
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const state = store.state.value
  useTitle(title)

  useEffect(() => void read(code), [read, code])

  return (
    <PublicPage>
      <section className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        <p role="status">{t(`deletion-status.${state}`)}</p>
        {state === 'unread' && (
          <Button look="quiet" onClick={() => void read(code)}>
            {t('deletion-status.retry')}
          </Button>
        )}
        <Link to="/fb-data-deletion">{t('deletion-status.more')}</Link>
      </section>
    </PublicPage>
  )
}
