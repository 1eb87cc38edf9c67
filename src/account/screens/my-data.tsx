import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useMember } from '../use-account.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { LoginsDialog } from './logins-dialog.tsx'
import styles from './my-data.module.css'
import { SignInAgainDialog } from './sign-in-again-dialog.tsx'

/** The data actions in the profile popup: export and deletion. */
export function MyData() {
  const { myData } = useMember()
  const t = useTexts()
  const [failed, setFailed] = useState(false)
  const [open, setOpen] = useState<'logins' | 'delete' | 'sign-in-again' | null>(null)
  const close = () => setOpen(null)
  const busy = myData.exporting.value
  useFocusReturn(busy)

  async function download(): Promise<void> {
    setFailed(false)
    const outcome = await myData.download()
    setFailed(outcome === 'failed')
    if (outcome === 'sign-in-again') setOpen('sign-in-again')
  }

  function downloadAfterSignIn(): void {
    // The dialog must return the focus to the button before the download disables the button.
    flushSync(close)
    void download()
  }

  return (
    <div className={styles.actions}>
      <Button look="plain" onClick={() => setOpen('logins')}>
        {t('my-data.logins')}
      </Button>
      <Button look="plain" disabled={busy} onClick={() => void download()}>
        {t(busy ? 'my-data.downloading' : 'my-data.download')}
      </Button>
      <p role="status" className={styles.failed} hidden={!failed}>
        {failed && t('my-data.download.failed')}
      </p>
      <Button look="plain" className={styles.delete} onClick={() => setOpen('delete')}>
        {t('my-data.delete')}
      </Button>
      {open === 'logins' && <LoginsDialog onClose={close} />}
      {open === 'delete' && <DeleteAccountDialog onClose={close} />}
      {open === 'sign-in-again' && <SignInAgainDialog onDone={downloadAfterSignIn} onClose={close} />}
    </div>
  )
}
