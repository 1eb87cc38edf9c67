import { type Signal, useComputed, useSignalEffect } from '@preact/signals-react'
import { Fragment, useRef } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useCall } from '../use-call.ts'
import styles from './call-controls.module.css'
import { DeviceButtons } from './device-buttons.tsx'

type CallControlsProps = { chatShown: Signal<boolean>; onReport: () => void }

/** The control bar below the picture. Report is far from Next, so that it is not pressed by accident. */
export function CallControls({ chatShown, onReport }: CallControlsProps) {
  const { call } = useCall()
  const t = useTexts()
  const waiting = useComputed(() => call.nextIn.value > 0).value
  const label = useComputed(() =>
    call.nextIn.value > 0 ? t('call.next-in', { seconds: call.nextIn.value }) : t('call.next'),
  )
  return (
    <div className={styles.bar}>
      <DeviceButtons />
      <Button look="quiet" className={styles.report} onClick={onReport}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 21V4h11l-2 4.5 2 4.5H6" />
        </svg>
        <span>{t('call.report')}</span>
      </Button>
      <Button
        look="quiet"
        className={styles.chat}
        aria-label={t(chatShown.value ? 'call.hide-chat' : 'call.show-chat')}
        onClick={() => (chatShown.value = !chatShown.value)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8l-4.5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z" />
          {chatShown.value && <path d="m14.5 8-5 5m5 0-5-5" />}
        </svg>
      </Button>
      <span className={styles.gap} />
      {!waiting && (
        <Button look="quiet" onClick={() => call.dispatch({ type: 'exit-pressed' })}>
          {t('call.exit')}
        </Button>
      )}
      <Button className={styles.next} disabled={waiting} onClick={() => call.dispatch({ type: 'next-pressed' })}>
        {/* The key replaces the elements at the end of the wait: changed centred text would count as a layout shift. */}
        <Fragment key={String(waiting)}>
          <CountdownRing />
          <span>{label}</span>
        </Fragment>
      </Button>
    </div>
  )
}

/** A ring that empties during the wait; written straight to the element, so that a tick renders nothing. */
function CountdownRing() {
  const { call } = useCall()
  const { config } = usePlatform()
  const ring = useRef<SVGCircleElement>(null)
  useSignalEffect(() => {
    const left = call.nextIn.value / config.nextWaitSeconds
    ring.current?.style.setProperty('stroke-dashoffset', String(1 - left))
  })
  return (
    <svg className={styles.ring} viewBox="0 0 24 24" aria-hidden="true">
      <circle className={styles.track} cx="12" cy="12" r="9.5" />
      <circle ref={ring} className={styles.left} cx="12" cy="12" r="9.5" pathLength="1" />
      <path className={styles.arrow} d="m9.5 8 4 4-4 4" />
    </svg>
  )
}
