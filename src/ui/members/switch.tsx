import type { ReadonlySignal } from '@preact/signals-react'
import { useId } from 'react'
import styles from './switch.module.css'

type SwitchProps = { label: string; why: string; on: ReadonlySignal<boolean>; choose: (on: boolean) => void }

export function Switch({ label, why, on, choose }: SwitchProps) {
  const id = useId()
  const isOn = on.value
  return (
    <div className={styles.whole}>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-describedby={id}
        className={styles.switch}
        onClick={() => choose(!isOn)}
      >
        <span className={styles.track} aria-hidden="true" />
        {label}
      </button>
      <p id={id} className="hint">
        {why}
      </p>
    </div>
  )
}
