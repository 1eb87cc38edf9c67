import { useId } from 'react'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './privacy-switch.module.css'

/** Lets somebody keep their network address from the people they meet. */
export function PrivacySwitch() {
  const { privacy } = useStores()
  const t = useTexts()
  const why = useId()
  const on = privacy.relayOnly.value
  return (
    <div className={styles.privacy}>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-describedby={why}
        className={styles.switch}
        onClick={() => privacy.hideAddress(!on)}
      >
        <span className={styles.track} aria-hidden="true" />
        {t('dashboard.hide-address')}
      </button>
      <p id={why} className={styles.why}>
        {t('dashboard.hide-address.why')}
      </p>
    </div>
  )
}
