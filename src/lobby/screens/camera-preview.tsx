import { useComputed, useSignal } from '@preact/signals-react'
import { useRef } from 'react'
import { CurtainSwitch, useCurtain, useReadings } from '../../curtain/use-curtain.tsx'
import { virtualCameraOf } from '../../devices/rules/virtual-camera.ts'
import { InterruptionNote, useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { SettingsIcon } from '../../ui/icons.tsx'
import { OwnVideo } from '../../ui/members/own-video.tsx'
import styles from './camera-preview.module.css'

/** The user's own picture as the peer will see it, with the device menu. */
export function CameraPreview() {
  const { devices, DeviceMenu } = useDevices()
  const t = useTexts()
  const choosing = useSignal(false)
  const video = useRef<HTMLVideoElement>(null)
  useReadings(video, 'own', true)
  return (
    <div className={styles.preview}>
      <OwnVideo video={video} stream={devices.stream.value} className={styles.video} />
      <div role="status">
        <InterruptionNote className={styles.note} />
        <PictureHint />
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
      {choosing.value && (
        <DeviceMenu canCheck onClose={() => (choosing.value = false)}>
          <CurtainSwitch />
        </DeviceMenu>
      )}
    </div>
  )
}

/** Says that strangers would see nothing or take the picture for a recording, and what helps. The user may start a call nevertheless. */
function PictureHint() {
  const { devices } = useDevices()
  const { pictureStates } = useCurtain()
  const t = useTexts()
  const shows = pictureStates.own.value
  const program = useComputed(() => {
    const label = devices.stream.value?.getVideoTracks()[0]?.label ?? ''
    return devices.cameraOn.value ? virtualCameraOf(label) : null
  }).value
  if (devices.interruption.value) return null
  if (shows !== 'fine') return <p className={styles.note}>{t(`dashboard.picture.${shows}`)}</p>
  return program && <p className={styles.note}>{t('dashboard.picture.virtual', { program })}</p>
}
