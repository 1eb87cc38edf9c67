import { useState } from 'react'
import { useStores } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import styles from './my-data.module.css'

const texts = {
  download: 'Download my data',
  downloading: 'Collecting...',
  downloadFailed: 'Your data could not be collected. Please try again in a few minutes.',
  delete: 'Delete my account',
}

/** What a person may do with their data, in the profile popup. */
export function MyData() {
  const { myData } = useStores()
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
        {busy ? texts.downloading : texts.download}
      </Button>
      <p role="status" className={styles.failed} hidden={!failed}>
        {failed && texts.downloadFailed}
      </p>
      <Button look="plain" className={styles.delete} onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </div>
  )
}
