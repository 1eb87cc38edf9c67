import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

/** `primary`: the main action of a screen. `bad`: a destructive action. `quiet` has a border, `plain` has none. */
type ButtonLook = 'primary' | 'quiet' | 'plain' | 'bad'

type Look = { look?: ButtonLook; wide?: boolean }

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> &
  Look & {
    /** Marks the harmless choice of a dialog, which has the focus when the dialog opens. */
    safe?: boolean
  }

function looks(look: ButtonLook, wide: boolean, className: string | undefined): string {
  return classNames(styles.button, styles[look], wide && styles.wide, className)
}

export function Button({ look = 'primary', wide = false, safe = false, className, ...rest }: ButtonProps) {
  return <button type="button" data-safe={safe || undefined} className={looks(look, wide, className)} {...rest} />
}

/** A link that looks like a button and opens a new tab. */
export function ExternalButton({
  look = 'primary',
  wide = false,
  className,
  children,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Look & { href: string }) {
  return (
    <a target="_blank" rel="noopener noreferrer" className={looks(look, wide, className)} {...rest}>
      {children}
    </a>
  )
}
