import { useState } from 'react'
import { useStores } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import styles from './my-data.module.css'
import { useTexts } from './use-texts.ts'

/** What a person may do with their data, in the profile popup. */
export function MyData() {
  const { myData } = useStores()
  const t = useTexts()
  const [failed, setFailed] = useState(false)
  const [asking, setAsking] = useState(false)
  const busy = myData.exporting.value

  async function download(): Promise<void> {
    setFailed(false)
    setFailed(!(await myData.download()))
  }

  return (
    <div className={styles.actions}>
      <Button look="plain" disabled={busy} onClick={() => void download()}>
        {t(busy ? 'my-data.downloading' : 'my-data.download')}
      </Button>
      <p role="status" className={styles.failed} hidden={!failed}>
        {failed && t('my-data.download.failed')}
      </p>
      <Button look="plain" className={styles.delete} onClick={() => setAsking(true)}>
        {t('my-data.delete')}
      </Button>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </div>
  )
}
