import { useId } from 'react'
import { useStores } from '../../stores/stores.ts'
import styles from './privacy-switch.module.css'

/** Lets somebody keep their network address from the people they meet. */
export function PrivacySwitch() {
  const { privacy } = useStores()
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
        Hide my network address
      </button>
      <p id={why} className={styles.why}>
        Your call goes through our relay, so the person you meet cannot see your IP address. The picture may be a little
        slower.
      </p>
    </div>
  )
}
