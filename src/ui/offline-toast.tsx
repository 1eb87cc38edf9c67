import { useSyncExternalStore } from 'react'
import { useTexts } from '../platform/use-texts.ts'
import styles from './toasts.module.css'

function onChange(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** A toast that is shown while the browser is offline. Requests wait, and continue by themselves. */
export function OfflineToast() {
  const t = useTexts()
  const online = useSyncExternalStore(
    onChange,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className={styles.banner}>
      {!online && <p>{t('first.offline')}</p>}
    </div>
  )
}
