import { useSignalEffect } from '@preact/signals-react'
import { useEffect, useId, useRef } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { useDevices } from '../use-devices.tsx'
import styles from './microphone-level.module.css'

/** Shows the microphone's loudness, measured only while mounted. Each value changes the element without a render. */
export function MicrophoneLevel() {
  const { devices } = useDevices()
  const { level, measureLevel } = devices
  const t = useTexts()
  const meter = useRef<HTMLMeterElement>(null)
  const id = useId()

  useEffect(measureLevel, [measureLevel])

  useSignalEffect(() => {
    const loudness = level.value
    if (meter.current) meter.current.value = loudness
  })

  return (
    <div className={styles.level}>
      <label htmlFor={id}>{t('devices.level')}</label>
      <meter ref={meter} id={id} className={styles.meter} min={0} max={1} />
      <p className="hint">{t(devices.microphoneOn.value ? 'devices.level.hint' : 'devices.level.off')}</p>
    </div>
  )
}
