import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './calendar.module.css'

type CalendarFrameProps = { asDialog: boolean; onClose: () => void; children: ReactNode }

/** The dialog or dropdown around the calendar. */
export function CalendarFrame({ asDialog, onClose, children }: CalendarFrameProps) {
  const t = useTexts()
  if (!asDialog) return <Dropdown onClose={onClose}>{children}</Dropdown>
  return (
    <Dialog title={t('welcome.calendar.title')} onClose={onClose} className={styles.dialog}>
      {children}
    </Dialog>
  )
}

function Dropdown({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTexts()
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  useEffect(() => {
    function pressedOutside(event: PointerEvent): void {
      // A press in the field counts as inside: its button closes the calendar itself.
      const field = ref.current?.parentElement
      if (event.target instanceof Node && !field?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', pressedOutside)
    return () => document.removeEventListener('pointerdown', pressedOutside)
  }, [onClose])

  return (
    <div ref={ref} role="dialog" aria-label={t('welcome.calendar.title')} className={styles.dropdown}>
      {children}
    </div>
  )
}
