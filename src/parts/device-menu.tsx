import { useId } from 'react'
import type { MediaDevice } from '../domain/ports.ts'
import { useStores } from '../stores/stores.ts'
import { AppOffer } from './app-offer.tsx'
import { Button } from './button.tsx'
import { CheckDevices } from './check-devices.tsx'
import { CurtainSwitch } from './curtain-switch.tsx'
import styles from './device-menu.module.css'
import { Dialog } from './dialog.tsx'
import { LanguageMenu } from './language-menu.tsx'
import list from './list-field.module.css'
import { MicrophoneLevel } from './microphone-level.tsx'
import { PictureMenu } from './picture-menu.tsx'
import { Switch } from './switch.tsx'
import { useTexts } from './use-texts.ts'

/** Lets the user choose devices, picture and sounds; a choice takes effect at once and is stored. `canCheck`: outside of a call. */
export function DeviceMenu({ onClose, canCheck = false }: { onClose: () => void; canCheck?: boolean }) {
  const { sounds } = useStores()
  const t = useTexts()
  const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype
  return (
    <Dialog
      title={t('devices.title')}
      onClose={onClose}
      actions={
        <Button safe onClick={onClose}>
          {t('devices.done')}
        </Button>
      }
    >
      <DeviceChoice kind="camera" />
      <DeviceChoice kind="microphone" />
      <MicrophoneLevel />
      {canChooseSpeaker && <DeviceChoice kind="speaker" />}
      {canCheck && <CheckDevices />}
      <PictureMenu />
      <CurtainSwitch />
      <Switch label={t('devices.sounds')} why={t('devices.sounds.why')} on={sounds.on} choose={sounds.choose} />
      <LanguageMenu />
      <AppOffer />
    </Dialog>
  )
}

function DeviceChoice({ kind }: { kind: MediaDevice['kind'] }) {
  const { devices } = useStores()
  const t = useTexts()
  const id = useId()
  const choices = devices.available.value.filter((device) => device.kind === kind)
  return (
    <p className={`${list.field} ${styles.choice}`}>
      <label htmlFor={id}>{t(`devices.${kind}`)}</label>
      <select
        id={id}
        className={list.input}
        value={devices.chosen.value[kind]}
        onChange={(event) => devices.choose(kind, event.target.value)}
      >
        <option value="">{t(choices.length === 0 ? `devices.none.${kind}` : 'devices.automatic')}</option>
        {choices.map(({ id: device, label }, index) => (
          <option key={device} value={device}>
            {label || t(`devices.unnamed.${kind}`, { number: index + 1 })}
          </option>
        ))}
      </select>
    </p>
  )
}
