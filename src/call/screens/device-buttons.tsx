import { useSignal } from '@preact/signals-react'
import type { ReactNode } from 'react'
import { CurtainSwitch } from '../../curtain/use-curtain.tsx'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { CameraIcon, FlipIcon, MicrophoneIcon, SettingsIcon } from '../../ui/icons.tsx'
import { CallData } from './call-data.tsx'
import styles from './device-buttons.module.css'

/** Buttons for microphone, camera and the other switches of a call. */
export function DeviceButtons() {
  const { devices, DeviceMenu } = useDevices()
  const t = useTexts()
  const choosing = useSignal(false)
  const microphoneOn = devices.microphoneOn.value
  const cameraOn = devices.cameraOn.value
  return (
    <fieldset className={styles.group} aria-label={t('call.devices')}>
      <RoundButton label={t('devices.microphone')} on={microphoneOn} onPress={devices.toggleMicrophone}>
        <MicrophoneIcon off={!microphoneOn} />
      </RoundButton>
      <RoundButton label={t('devices.camera')} on={cameraOn} onPress={devices.toggleCamera}>
        <CameraIcon off={!cameraOn} />
      </RoundButton>
      {devices.canFlip.value && (
        <button
          type="button"
          className={`${styles.button} ${styles.flip}`}
          aria-label={t('call.switch-camera')}
          onClick={devices.flip}
        >
          <FlipIcon />
        </button>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={t('devices.title')}
        onClick={() => (choosing.value = true)}
      >
        <SettingsIcon />
      </button>
      {choosing.value && (
        <DeviceMenu onClose={() => (choosing.value = false)}>
          <CallData />
          <CurtainSwitch />
        </DeviceMenu>
      )}
    </fieldset>
  )
}

type RoundButtonProps = { label: string; on: boolean; onPress: () => void; children: ReactNode }

function RoundButton({ label, on, onPress, children }: RoundButtonProps) {
  return (
    <button type="button" className={styles.button} aria-label={label} aria-pressed={on} onClick={onPress}>
      {children}
    </button>
  )
}
