import { useEffect, useId, useRef } from 'react'
import { useCurtain } from '../../curtain/use-curtain.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useCall } from '../use-call.ts'
import styles from './veil.module.css'

/** What the user may do about a veiled picture. */
export function Veil({ onReport }: { onReport: () => void }) {
  const { call } = useCall()
  const { curtain } = useCurtain()
  return curtain.isVeiled.value && call.phase.value === 'in-call' ? <VeilChoices onReport={onReport} /> : null
}

/** Has the focus itself, so that a key that was meant for the chat chooses nothing. */
function VeilChoices({ onReport }: { onReport: () => void }) {
  const { call } = useCall()
  const { curtain } = useCurtain()
  const t = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const title = useId()
  const text = useId()
  useLentFocus(box)
  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      tabIndex={-1}
      className={styles.curtain}
    >
      <div className={styles.words}>
        <p id={title} className={styles.title}>
          {t('call.curtain.title')}
        </p>
        <p id={text}>{t('call.curtain.text')}</p>
      </div>
      <div className={styles.choices}>
        <Button look="quiet" onClick={curtain.showAnyway}>
          {t('call.curtain.show')}
        </Button>
        <Button look="bad" onClick={onReport}>
          {t('call.curtain.report')}
        </Button>
        <Button onClick={() => call.dispatch({ type: 'leave-now-pressed' })}>{t('call.curtain.leave')}</Button>
      </div>
    </div>
  )
}

/** Focuses the box while it is there, and then what had the focus before, or the page. */
function useLentFocus(box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const { activeElement, body } = document
    const page = box.current?.closest('main')
    const before = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : page
    box.current?.focus({ preventScroll: true })
    return () => {
      if (document.activeElement === null || document.activeElement === body) before?.focus({ preventScroll: true })
    }
  }, [box])
}
