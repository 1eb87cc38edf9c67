import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals-react'
import { Fragment, type ReactNode, useRef } from 'react'
import { CurtainSwitch } from '../../curtain/use-curtain.tsx'
import { useDevices } from '../../devices/use-devices.tsx'
import { formatNumber } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CameraIcon, FlipIcon, MicrophoneIcon, SettingsIcon } from '../../ui/icons.tsx'
import list from '../../ui/members/list-field.module.css'
import { useCall } from '../use-call.ts'
import styles from './call-controls.module.css'

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
      <Button variant="quiet" className={styles.report} onClick={onReport}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 21V4h11l-2 4.5 2 4.5H6" />
        </svg>
        <span>{t('call.report')}</span>
      </Button>
      <Button
        variant="quiet"
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
        <Button variant="quiet" onClick={() => call.dispatch({ type: 'exit-pressed' })}>
          {t('call.exit')}
        </Button>
      )}
      <Button className={styles.next} disabled={waiting} onClick={() => call.dispatch({ type: 'next-pressed' })}>
        {/* The key replaces the elements when the wait ends: changed centred text would count as a layout shift. */}
        <Fragment key={String(waiting)}>
          <CountdownRing />
          <span>{label}</span>
        </Fragment>
      </Button>
    </div>
  )
}

/** A ring that empties during the wait. Each tick changes the element directly, without a render. */
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
        <RoundButton label={t('call.switch-camera')} className={styles.flip} onPress={devices.flip}>
          <FlipIcon />
        </RoundButton>
      )}
      <RoundButton label={t('devices.title')} onPress={() => (choosing.value = true)}>
        <SettingsIcon />
      </RoundButton>
      {choosing.value && (
        <DeviceMenu onClose={() => (choosing.value = false)}>
          <CallData />
          <CurtainSwitch />
        </DeviceMenu>
      )}
    </fieldset>
  )
}

type RoundButtonProps = {
  label: string
  /** Only of a button that switches something. */
  on?: boolean
  className?: string | undefined
  onPress: () => void
  children: ReactNode
}

function RoundButton({ label, on, className, onPress, children }: RoundButtonProps) {
  const names = classNames(styles.button, className)
  return (
    <button type="button" className={names} aria-label={label} aria-pressed={on} onClick={onPress}>
      {children}
    </button>
  )
}

/** The amount of data that the call uses. The text is a signal, so that new numbers render nothing else. */
function CallData() {
  const { dataUse } = useCall()
  const { texts } = usePlatform()
  const inCall = useComputed(() => dataUse.used.value !== null).value
  const text = useComputed(() => {
    const { megabytes = 0, hourly = null } = dataUse.used.value ?? {}
    const language = texts.language.value
    const used = formatNumber(language, megabytes, 1)
    if (hourly === null) return texts.t('devices.data-used', { used })
    return texts.t('devices.data-used.hourly', { used, hourly: formatNumber(language, hourly) })
  })
  return inCall && <p className={list.why}>{text}</p>
}
