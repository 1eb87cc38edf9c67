import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useAccount, useMember } from '../use-account.ts'
import styles from './my-data.module.css'
import { SignInAgainDialog } from './sign-in-again-dialog.tsx'

/** Asks for confirmation of the deletion; the harmless button has the focus. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { account } = useAccount()
  const { myData } = useMember()
  const { toasts, texts } = usePlatform()
  const t = useTexts()
  const navigate = useNavigate()
  const [state, setState] = useState<'asking' | 'failed' | 'sign-in-again'>('asking')
  const busy = myData.changing.value
  useFocusReturn(busy)
  const days = myData.delayDays.value

  async function confirm(): Promise<void> {
    setState('asking')
    const outcome = await myData.requestDeletion()
    if (outcome !== 'done') {
      setState(outcome)
      return
    }
    const deletion = myData.deletion.peek()
    myData.forget()
    account.logout()
    if (deletion) {
      const day = (at: number) => formatTime(texts.language.peek(), at)
      toasts.show('toasts.deletion-asked', { due: day(deletion.dueAt), start: day(deletion.startAt) })
    }
    navigate('/', { replace: true })
  }

  if (state === 'sign-in-again') return <SignInAgainDialog onDone={() => void confirm()} onClose={onClose} />
  return (
    <Dialog
      alert
      title={t('my-data.delete.title')}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button look="bad" disabled={busy} onClick={() => void confirm()}>
            {t(busy ? 'my-data.deleting' : 'my-data.delete')}
          </Button>
          <Button look="quiet" safe disabled={busy} onClick={onClose}>
            {t('my-data.keep')}
          </Button>
        </>
      }
    >
      <p>{t('my-data.delete.what')}</p>
      <p>{t('my-data.delete.when')}</p>
      {days !== null && <p>{days > 0 ? t('my-data.delete.back', { days }) : t('my-data.delete.no-way-back')}</p>}
      <p>{t('my-data.delete.block')}</p>
      <p role="alert" className={styles.failed} hidden={state !== 'failed'}>
        {state === 'failed' && t('my-data.delete.failed')}
      </p>
    </Dialog>
  )
}
