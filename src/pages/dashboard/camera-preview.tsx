import { useSignal } from '@preact/signals-react'
import { DeviceMenu } from '../../parts/device-menu.tsx'
import { SettingsIcon } from '../../parts/icons.tsx'
import { InterruptionNote } from '../../parts/interruption-note.tsx'
import { OwnVideo } from '../../parts/own-video.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './camera-preview.module.css'

/** The user's own picture as the peer will see it, with the menu for another camera or microphone. */
export function CameraPreview() {
  const { devices } = useStores()
  const t = useTexts()
  const choosing = useSignal(false)
  return (
    <div className={styles.preview}>
      <OwnVideo stream={devices.stream.value} className={styles.video} />
      <div role="status">
        <InterruptionNote className={styles.note} />
      </div>
      <button
        type="button"
        className={styles.settings}
        aria-label={t('devices.title')}
        aria-haspopup="dialog"
        onClick={() => (choosing.value = true)}
      >
        <SettingsIcon />
      </button>
      {choosing.value && <DeviceMenu canCheck onClose={() => (choosing.value = false)} />}
    </div>
  )
}
