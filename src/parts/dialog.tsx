import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

type DialogProps = {
  title: ReactNode
  children: ReactNode
  /** Buttons; the one marked `safe` gets the focus, else the first. */
  actions?: ReactNode
  /** Called on Escape. Without it the dialog stays until one of its actions takes it away. */
  onClose?: (() => void) | undefined
  /** A warning that interrupts: announced as an alert dialog. */
  alert?: boolean
  className?: string | undefined
}

/** A modal dialog while it is rendered: takes the focus, keeps it, and gives it back when it goes. */
export function Dialog({ title, children, actions, onClose, alert = false, className }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const bodyId = useId()

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    show(dialog)
    // Closing before React takes the element away is what gives the focus back to where it was.
    return () => dialog.close()
  }, [])

  /** Some browsers close on a second Escape whatever `cancel` says. */
  function closed(): void {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    if (onClose) onClose()
    else show(dialog)
  }

  return (
    <dialog
      ref={ref}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={bodyId}
      closedby={onClose ? 'closerequest' : 'none'}
      className={classNames(styles.dialog, className)}
      onCancel={(event) => {
        // A file input or a select inside fires `cancel` too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose?.()
      }}
      onClose={closed}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div id={bodyId} className={styles.body}>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </dialog>
  )
}

function show(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[data-safe]')?.focus()
}
