import { useId } from 'react'
import { Button } from '../../parts/button.tsx'
import { usePopover } from '../../parts/use-popover.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './signal-indicator.module.css'

/** Three bars for the quality of the call; a tap shows it, its reason as text, and what helps. */
export function SignalIndicator() {
  const { call, pictureChoice, quality } = useStores()
  const t = useTexts()
  const why = useId()
  const menu = usePopover<HTMLDivElement>()
  const broken = call.health.value === 'broken'
  const { bars, reason } = quality.indicator.value
  const isSoundChosen = pictureChoice.choice.value === 'sound'
  const explained = broken ? 'broken' : isSoundChosen ? 'chosen' : reason
  const word = t(`call.signal.${broken ? 0 : bars}`)
  return (
    <>
      <button type="button" className={styles.button} aria-label={word} aria-describedby={why} {...menu.opener}>
        <svg viewBox="0 0 20 16" aria-hidden="true" data-bars={broken ? 0 : bars}>
          <path d="M3 15v-4" />
          <path d="M10 15V7" />
          <path d="M17 15V2" />
        </svg>
      </button>
      <div className={styles.panel} {...menu.popover}>
        <p className={styles.word}>{word}</p>
        <p id={why}>{t(`call.signal.${explained}`)}</p>
        {(explained === 'weak-network' || explained === 'stills') && (
          <Button onClick={() => pictureChoice.choose('sound')}>{t('call.signal.to-sound')}</Button>
        )}
        {explained === 'chosen' && <Button onClick={pictureChoice.choosePicture}>{t('call.signal.to-picture')}</Button>}
      </div>
    </>
  )
}
