import { APP_VERSION } from '#protocol/constants.ts'
import styles from './app-version.module.css'

/** Plain text for whoever asks which version runs. */
export function AppVersionPage() {
  return (
    <main>
      <h1 className={styles.version}>{APP_VERSION}</h1>
    </main>
  )
}
