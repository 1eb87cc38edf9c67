import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

/** `primary`: the main action of a screen. `bad`: a destructive action. `quiet` has a border, `plain` has none. */
type Variant = 'primary' | 'quiet' | 'plain' | 'bad'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant
  wide?: boolean
  /** Marks the harmless choice of a dialog, which has the focus when the dialog opens. */
  safe?: boolean
}

export function Button({ variant = 'primary', wide = false, safe = false, className, ...rest }: ButtonProps) {
  const classes = classNames(styles.button, styles[variant], wide && styles.wide, className)
  return <button type="button" data-safe={safe || undefined} className={classes} {...rest} />
}

/** A link that looks like the main button and opens a new tab. */
export function ExternalButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={classNames(styles.button, styles.primary)}>
      {children}
    </a>
  )
}
