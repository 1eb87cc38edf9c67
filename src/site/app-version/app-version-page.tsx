import { APP_VERSION } from '#protocol/constants.ts'
import styles from './app-version.module.css'

/** Shows the running version as plain text. */
export function AppVersionPage() {
  return (
    <main>
      <h1 className={styles.version}>{APP_VERSION}</h1>
    </main>
  )
}
