import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { dayText } from '../../parts/day-text.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './deletion-panel.module.css'

const texts = {
  title: 'Your account is being deleted',
  waiting: (asked: string, due: string) =>
    `You asked for this on ${asked}. Everything we keep about you will be gone by ${due}. Until then you cannot start a video chat.`,
  mind: (start: string) => `Changed your mind? Before ${start} you can keep your account as it was.`,
  keep: 'Keep my account',
  keeping: 'Keeping...',
  failed: 'Your account could not be kept. Please try again.',
  held: (asked: string) =>
    `You asked for this on ${asked}. The law asks us to keep your data apart for now, so the deletion waits. Nobody uses them meanwhile, and you cannot start a video chat.`,
  heldNext: 'As soon as we may, everything is deleted. You need not ask again.',
}

/** Takes the place of the dashboard while a deletion waits: what will happen, until when, and the way back. */
export function DeletionPanel() {
  const { myData } = useStores()
  const [failed, setFailed] = useState(false)
  const deletion = myData.deletion.value
  const busy = myData.changing.value
  if (!deletion) return null

  async function keep(): Promise<void> {
    setFailed(false)
    setFailed(!(await myData.keep()))
  }

  const asked = dayText(deletion.requestedAt)
  return (
    <section className={styles.panel} aria-labelledby="deletion-title">
      <h1 id="deletion-title" className={styles.title}>
        {texts.title}
      </h1>
      {deletion.state === 'held' ? (
        <>
          <p>{texts.held(asked)}</p>
          <p>{texts.heldNext}</p>
        </>
      ) : (
        <>
          <p>{texts.waiting(asked, dayText(deletion.dueAt))}</p>
          <p>{texts.mind(dayText(deletion.startAt))}</p>
          <Button disabled={busy} onClick={() => void keep()}>
            {busy ? texts.keeping : texts.keep}
          </Button>
          <p role="alert" className={styles.failed} hidden={!failed}>
            {failed && texts.failed}
          </p>
        </>
      )}
    </section>
  )
}
