import { useState } from 'react'
import { useMember } from '../../account/use-account.ts'
import { formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './deletion-panel.module.css'

/** Shown instead of the dashboard while a deletion is pending: what is deleted, when, and how to cancel it. */
export function DeletionPanel() {
  const { myData } = useMember()
  const { texts } = usePlatform()
  const t = useTexts()
  const [failed, setFailed] = useState(false)
  const deletion = myData.deletion.value
  const busy = myData.changing.value
  if (!deletion) return null

  async function keep(): Promise<void> {
    setFailed(false)
    setFailed(!(await myData.keep()))
  }

  const day = (at: number) => formatTime(texts.language.value, at)
  const requestedAt = day(deletion.requestedAt)
  return (
    <section className={styles.panel} aria-labelledby="deletion-title">
      <h1 id="deletion-title" className={styles.title}>
        {t('my-data.going')}
      </h1>
      {deletion.state === 'held' ? (
        <>
          <p>{t('my-data.held', { asked: requestedAt })}</p>
          <p>{t('my-data.held.next')}</p>
        </>
      ) : (
        <>
          <p>{t('my-data.going.until', { asked: requestedAt, due: day(deletion.dueAt) })}</p>
          <p>{t('my-data.going.mind', { start: day(deletion.startAt) })}</p>
          <Button disabled={busy} onClick={() => void keep()}>
            {t(busy ? 'my-data.keeping' : 'my-data.keep')}
          </Button>
          <p role="alert" className={styles.failed} hidden={!failed}>
            {failed && t('my-data.keep.failed')}
          </p>
        </>
      )}
    </section>
  )
}
