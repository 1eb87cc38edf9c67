import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { DELETION_BUSINESS_DAYS } from '#protocol/my-data.ts'
import { Button } from '../../parts/button.tsx'
import { PublicPage } from '../../parts/public-page.tsx'
import { useTitle } from '../../parts/use-title.ts'
import { useVisitor } from '../../stores/stores.ts'
import styles from './deletion-status.module.css'

const title = 'Deletion status'
const retry = 'Try again'
const more = 'How deletion works'

const texts = {
  reading: 'Looking it up...',
  waiting: `The request has arrived. The data are deleted within ${DELETION_BUSINESS_DAYS} business days of it.`,
  held: 'The request has arrived. The law asks us to keep these data apart for now; they are deleted as soon as we may.',
  done: 'The data are deleted. Nothing is left.',
  cancelled: 'The account was kept: its owner signed in and took the request back.',
  unknown: 'We do not know this code. Please check that it is whole.',
  unread: 'We could not look it up. Please try again in a moment.',
}

/** What became of a deletion that was asked for at Facebook: the state of the code in the address, and nothing else. */
export function DeletionStatusPage() {
  const { deletionStatus } = useVisitor()
  const { read } = deletionStatus
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const state = deletionStatus.state.value
  useTitle(title)

  useEffect(() => void read(code), [read, code])

  return (
    <PublicPage>
      <section className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        <p role="status">{texts[state]}</p>
        {state === 'unread' && (
          <Button look="quiet" onClick={() => void read(code)}>
            {retry}
          </Button>
        )}
        <Link to="/fb-data-deletion">{more}</Link>
      </section>
    </PublicPage>
  )
}
