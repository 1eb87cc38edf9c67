import { useSyncExternalStore } from 'react'
import styles from './notices.module.css'

function onChange(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Says that the network is away for as long as it is; what was asked for waits, and goes on by itself. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    onChange,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className={styles.offline}>
      {!online && <p>You are offline. We go on as soon as your network is back.</p>}
    </div>
  )
}
