import { useEffect, useId, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './curtain.module.css'

/** What the user may do about a veiled picture. */
export function Curtain({ onReport }: { onReport: () => void }) {
  const { call, curtain } = useStores()
  return curtain.isVeiled.value && call.phase.value === 'in-call' ? <ClosedCurtain onReport={onReport} /> : null
}

/** Has the focus itself, so that a key that was meant for the chat chooses nothing. */
function ClosedCurtain({ onReport }: { onReport: () => void }) {
  const { call, curtain } = useStores()
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
