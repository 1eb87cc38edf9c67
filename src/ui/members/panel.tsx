import type { ReactNode } from 'react'
import styles from './panel.module.css'

type Weight = 'warn' | 'bad' | 'good'

const signs: Record<Weight, ReactNode> = {
  good: <path d="m6.5 12.5 3.5 3.5 7.5-8" />,
  warn: <path d="M12 6.5v7m0 3.4v.1" />,
  bad: <path d="m8 8 8 8m0-8-8 8" />,
}

type PanelProps = {
  weight: Weight
  title: string
  /** Use `h1` for a panel that is the whole screen. */
  heading?: 'h1' | 'h2'
  children: ReactNode
}

/** A message about the user's account, with an icon for its severity. */
export function Panel({ weight, title, heading: Heading = 'h2', children }: PanelProps) {
  return (
    <div className={styles.panel} role="status" data-weight={weight}>
      <svg className={styles.sign} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        {signs[weight]}
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.words}>{children}</div>
    </div>
  )
}
