import type { ReactNode } from 'react'
import { WarningIcon } from '../icons.tsx'
import styles from './fields.module.css'

type FieldProps = {
  /** Id of the input; the error below it has `{id}-error`. */
  id: string
  label: string
  /** Shown beside the label, such as a counter. */
  aside?: ReactNode
  error?: string | null
  children: ReactNode
}

export function Field({ id, label, aside, error = null, children }: FieldProps) {
  return (
    <div className={styles.field}>
      <div className={styles.labels}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

/** What is wrong with a field. In the document from the start: screen readers announce only changes. */
export function FieldError({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} className={styles.error} aria-live="polite">
      {text && (
        <>
          <WarningIcon />
          <span>{text}</span>
        </>
      )}
    </p>
  )
}
