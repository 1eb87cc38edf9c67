import { useId } from 'react'
import type { SignalReason } from '../../domain/governor.ts'
import { usePopover } from '../../parts/use-popover.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './signal-indicator.module.css'

const words = ['No connection', 'Weak connection', 'Fair connection', 'Good connection'] as const

const reasons: Record<SignalReason, string> = {
  good: 'Picture and sound get through well.',
  'weak-network': 'Your network is slow or loses data. Better reception may help, or other Wi-Fi.',
  'slow-device': 'Your device is busy, so your picture is sent smaller. Closing other programs may help.',
  'peer-network': 'What the other person sends does not all arrive.',
}

/** Three bars for how good the call is; a tap tells it in words, and why. */
export function SignalIndicator() {
  const { call, quality } = useStores()
  const why = useId()
  const menu = usePopover<HTMLDivElement>()
  const broken = call.health.value === 'broken'
  const { bars, reason } = quality.indicator.value
  const shown = broken ? 0 : bars
  return (
    <>
      <button type="button" className={styles.button} aria-label={words[shown]} aria-describedby={why} {...menu.opener}>
        <svg viewBox="0 0 20 16" aria-hidden="true" data-bars={shown}>
          <path d="M3 15v-4" />
          <path d="M10 15V7" />
          <path d="M17 15V2" />
        </svg>
      </button>
      <div className={styles.panel} {...menu.popover}>
        <p className={styles.word}>{words[shown]}</p>
        <p id={why}>{broken ? 'We are trying to bring picture and sound back.' : reasons[reason]}</p>
      </div>
    </>
  )
}
