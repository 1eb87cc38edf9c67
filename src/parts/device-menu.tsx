import { useId } from 'react'
import type { MediaDevice } from '../domain/ports.ts'
import { useStores } from '../stores/stores.ts'
import { Button } from './button.tsx'
import styles from './device-menu.module.css'
import { Dialog } from './dialog.tsx'
import { MicrophoneLevel } from './microphone-level.tsx'

const names: Record<MediaDevice['kind'], string> = { camera: 'Camera', microphone: 'Microphone', speaker: 'Speaker' }

/** Lets somebody choose camera, microphone and speaker; what is chosen is used at once and remembered. */
export function DeviceMenu({ onClose }: { onClose: () => void }) {
  const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype
  return (
    <Dialog
      title="Camera and sound"
      onClose={onClose}
      actions={
        <Button safe onClick={onClose}>
          Done
        </Button>
      }
    >
      <DeviceChoice kind="camera" />
      <DeviceChoice kind="microphone" />
      <MicrophoneLevel />
      {canChooseSpeaker && <DeviceChoice kind="speaker" />}
    </Dialog>
  )
}

function DeviceChoice({ kind }: { kind: MediaDevice['kind'] }) {
  const { devices } = useStores()
  const id = useId()
  const choices = devices.available.value.filter((device) => device.kind === kind)
  return (
    <p className={styles.choice}>
      <label htmlFor={id}>{names[kind]}</label>
      <select
        id={id}
        className={styles.select}
        value={devices.chosen.value[kind]}
        onChange={(event) => devices.choose(kind, event.target.value)}
      >
        <option value="">{choices.length === 0 ? `No ${kind} found` : 'Automatic'}</option>
        {choices.map(({ id: device, label }, index) => (
          <option key={device} value={device}>
            {label || `${names[kind]} ${index + 1}`}
          </option>
        ))}
      </select>
    </p>
  )
}
