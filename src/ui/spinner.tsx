import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

type SpinnerProps = {
  /** Says what is loading. Shown beside the ring; with `quiet` for screen readers only. */
  label: string
  quiet?: boolean
  large?: boolean
}

export function Spinner({ label, quiet = false, large = false }: SpinnerProps) {
  return (
    <span role="status" className={styles.spinner}>
      <span className={classNames(styles.ring, large && styles.large)} aria-hidden="true" />
      <span className={quiet ? 'visually-hidden' : undefined}>{label}</span>
    </span>
  )
}
