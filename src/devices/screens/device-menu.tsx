import { useId } from 'react'
import { pictureChoices } from '../../platform/rules/picture-choice.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LanguageMenu } from '../../ui/frame/language-menu.tsx'
import { AppOffer } from '../../ui/members/app-offer.tsx'
import { DialogButton } from '../../ui/members/dialog-button.tsx'
import list from '../../ui/members/list-field.module.css'
import { Switch } from '../../ui/members/switch.tsx'
import type { MediaDevice } from '../ports.ts'
import { type Devices, useDevices } from '../use-devices.tsx'
import styles from './device-menu.module.css'
import { MicrophoneLevel } from './microphone-level.tsx'

export const DeviceMenu: Devices['DeviceMenu'] = ({ onClose, canCheck = false, children }) => {
  const { sounds, loadCheck } = useDevices()
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
      {canCheck && (
        <DialogButton
          variant="quiet"
          wide
          load={async () => {
            const [{ DeviceCheck }, check] = await Promise.all([import('./device-check.tsx'), loadCheck()])
            return (close) => <DeviceCheck check={check} onClose={close} />
          }}
          texts={['check']}
          failed="devices.check.failed"
        >
          {t('devices.check')}
        </DialogButton>
      )}
      <PictureMenu />
      {children}
      <Switch label={t('devices.sounds')} why={t('devices.sounds.why')} on={sounds.on} choose={sounds.choose} />
      <LanguageMenu />
      <AppOffer />
    </Dialog>
  )
}

function DeviceChoice({ kind }: { kind: MediaDevice['kind'] }) {
  const { devices } = useDevices()
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

/** Lets the user choose between a good picture and little data. */
function PictureMenu() {
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  const id = useId()
  const why = useId()
  const chosen = pictureChoice.choice.value
  return (
    <p className={`${list.field} ${styles.choice}`}>
      <label htmlFor={id}>{t('devices.picture')}</label>
      <select
        id={id}
        aria-describedby={why}
        className={list.input}
        value={chosen}
        onChange={(event) => {
          const next = pictureChoices.find((choice) => choice === event.target.value)
          if (next) pictureChoice.choose(next)
        }}
      >
        {pictureChoices.map((choice) => (
          <option key={choice} value={choice}>
            {t(`devices.picture.${choice}`)}
          </option>
        ))}
      </select>
      <span id={why} aria-live="polite" className={list.why}>
        {t(`devices.picture.${chosen}.why`)}
      </span>
    </p>
  )
}
