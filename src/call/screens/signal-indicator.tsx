import { useId } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { usePopover } from '../../ui/use-popover.ts'
import type { CallCause } from '../rules/call-cause.ts'
import { useCall } from '../use-call.ts'
import styles from './peer-video.module.css'

/** Causes for which the popover offers sound only. */
const relievedBySound: ReadonlySet<string> = new Set<CallCause>([
  'udp-blocked',
  'slow-network',
  'lossy-network',
  'stills',
])

/** Three bars for the quality of the call. A tap shows the quality and its reason as text, and what helps. */
export function SignalIndicator() {
  const { call, hub, quality } = useCall()
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  const why = useId()
  const menu = usePopover<HTMLDivElement>()
  const broken = call.health.value === 'broken'
  const { bars } = quality.indicator.value
  const isHubLost = hub.state.value === 'reconnecting' || hub.state.value === 'gave-up'
  const isSoundChosen = pictureChoice.choice.value === 'sound'
  const faulty = isHubLost ? 'offline' : 'broken'
  const explained = broken ? faulty : isSoundChosen ? 'chosen' : quality.cause.value
  const name = call.peerNickName.value || t('toasts.unnamed-peer')
  const word = t(`call.signal.${broken ? 0 : bars}`)
  return (
    <>
      <button type="button" className={styles.signal} aria-label={word} aria-describedby={why} {...menu.opener}>
        <svg viewBox="0 0 20 16" aria-hidden="true" data-bars={broken ? 0 : bars}>
          <path d="M3 15v-4" />
          <path d="M10 15V7" />
          <path d="M17 15V2" />
        </svg>
      </button>
      <div className={styles.panel} {...menu.popover}>
        <p className={styles.word}>{word}</p>
        <p id={why}>{t(`call.signal.${explained}`, { name })}</p>
        {relievedBySound.has(explained) && (
          <Button onClick={() => pictureChoice.choose('sound')}>{t('call.signal.to-sound')}</Button>
        )}
        {explained === 'chosen' && <Button onClick={pictureChoice.choosePicture}>{t('call.signal.to-picture')}</Button>}
      </div>
    </>
  )
}
