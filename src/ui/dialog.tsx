import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

type DialogProps = {
  title: ReactNode
  children: ReactNode
  /** Buttons. The focus goes to the button marked `safe`, otherwise to the first button. */
  actions?: ReactNode
  /** Called on Escape. Without it only the dialog's buttons close it. */
  onClose?: (() => void) | undefined
  /** Announced as an alert dialog. */
  alert?: boolean
  className?: string | undefined
  /** If false, the dialog is rendered but not shown. */
  open?: boolean
}

/** A modal dialog, open while rendered. It takes the focus, keeps it inside, and returns it when it is closed. */
export function Dialog({ title, children, actions, onClose, alert = false, className, open = true }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const bodyId = useId()

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    show(dialog)
    // The browser returns the focus only if the dialog is closed before React removes the element.
    return () => dialog.close()
  }, [open])

  /** Handles a close by the browser: some close the dialog on a second Escape even if `cancel` was prevented. */
  function closed(): void {
    const dialog = ref.current
    if (!open || !dialog || dialog.open) return
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
        // A file input or a select inside the dialog also fires `cancel`.
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
