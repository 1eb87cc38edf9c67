import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { PublicPage } from '../../parts/public-page.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useVisitor } from '../../stores/stores.ts'
import styles from './deletion-status.module.css'

/** Shows the state of a deletion that was requested at Facebook, by the code in the URL. */
export function DeletionStatusPage() {
  const { deletionStatus } = useVisitor()
  const { read } = deletionStatus
  const t = useTexts()
  const title = t('deletion-status.title')
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const state = deletionStatus.state.value
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
