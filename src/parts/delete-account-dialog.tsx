import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { DELETION_BUSINESS_DAYS } from '#protocol/my-data.ts'
import { useStores } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { dayText } from './day-text.ts'
import { Dialog } from './dialog.tsx'
import styles from './my-data.module.css'

const texts = {
  title: 'Delete your account?',
  what: 'Your profile, your picture, your history and everything else we keep about you will be deleted.',
  when: `You are signed out at once. Your data are gone within ${DELETION_BUSINESS_DAYS} business days.`,
  back: (days: number) =>
    days > 0
      ? `You can change your mind for ${days === 1 ? 'one day' : `${days} days`}: sign in again and keep your account.`
      : 'This cannot be taken back.',
  block: 'Where an account was blocked for breaking the rules, we keep only what is needed to uphold that block.',
  keep: 'Keep my account',
  delete: 'Delete my account',
  deleting: 'Deleting...',
  failed: 'Your account could not be deleted. Please try again.',
  done: (due: string, start: string) =>
    `Your account will be deleted by ${due}. If you want to keep it, sign in before ${start}.`,
}

/** Asks once whether the person is sure; the answer that does no harm has the focus. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { account, myData, notices } = useStores()
  const navigate = useNavigate()
  const [failed, setFailed] = useState(false)
  const busy = myData.changing.value
  const days = myData.delayDays.value

  async function confirm(): Promise<void> {
    setFailed(false)
    if (!(await myData.requestDeletion())) {
      setFailed(true)
      return
    }
    const wish = myData.deletion.peek()
    myData.forget()
    await account.logout()
    if (wish) notices.say(texts.done(dayText(wish.dueAt), dayText(wish.startAt)))
    navigate('/')
  }

  return (
    <Dialog
      alert
      title={texts.title}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button look="bad" disabled={busy} onClick={() => void confirm()}>
            {busy ? texts.deleting : texts.delete}
          </Button>
          <Button look="quiet" safe disabled={busy} onClick={onClose}>
            {texts.keep}
          </Button>
        </>
      }
    >
      <p>{texts.what}</p>
      <p>{texts.when}</p>
      {days !== null && <p>{texts.back(days)}</p>}
      <p>{texts.block}</p>
      <p role="alert" className={styles.failed} hidden={!failed}>
        {failed && texts.failed}
      </p>
    </Dialog>
  )
}
