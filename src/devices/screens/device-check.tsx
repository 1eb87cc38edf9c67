import { useSignal, useSignalEffect } from '@preact/signals-react'
import { type ReactNode, useEffect, useId } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { OwnVideo } from '../../ui/members/own-video.tsx'
import { isWeakDevice, relayWays } from '../rules/relay-ways.ts'
import type { ConnectionCheck } from '../state/connection-check.ts'
import { useDevices } from '../use-devices.tsx'
import styles from './device-check.module.css'
import { MicrophoneLevel } from './microphone-level.tsx'

type CheckProps = { check: ConnectionCheck }

/** Loudness, from 0 to 1, from which on the microphone counts as working. */
const HEARD = 0.3

/** Checks camera, microphone, speaker, network and device. The network check ends when the dialog closes. */
export function DeviceCheck({ check, onClose }: CheckProps & { onClose: () => void }) {
  const t = useTexts()
  const again = useSignal(0)
  const round = again.value

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round starts the check anew.
  useEffect(() => check.start(), [check, round])

  return (
    <Dialog
      title={t('check.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={() => (again.value += 1)}>
            {t('check.again')}
          </Button>
          {/* Not `safe`: its focus at the end of a long dialog would scroll the beginning out of view. */}
          <Button onClick={onClose}>{t('check.done')}</Button>
        </>
      }
    >
      <CameraCheck check={check} />
      <MicrophoneCheck />
      <SpeakerCheck check={check} />
      <NetworkCheck check={check} />
      <StrengthCheck check={check} />
    </Dialog>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      {children}
    </section>
  )
}

function CameraCheck({ check }: CheckProps) {
  const { devices } = useDevices()
  const t = useTexts()
  const isDark = useSignal(false)

  useSignalEffect(() => {
    const current = devices.stream.value
    isDark.value = false
    if (!current || !devices.cameraOn.value) return undefined
    return check.watchLight(current, (isNow) => {
      isDark.value = isNow
    })
  })

  const stream = devices.stream.value
  const track = stream?.getVideoTracks()[0]
  const isLive = track?.readyState === 'live' && !track.muted
  const seen = isDark.value ? 'dark' : 'well'
  const finding = !isLive ? 'none' : devices.cameraOn.value ? seen : 'off'
  return (
    <Part title={t('devices.camera')}>
      {finding === seen && <OwnVideo stream={stream} className={styles.video} />}
      <p role="status">{t(`check.camera.${finding}`)}</p>
    </Part>
  )
}

function MicrophoneCheck() {
  const { devices } = useDevices()
  const t = useTexts()
  const heard = useSignal(false)
  const hasTrack = (devices.stream.value?.getAudioTracks().length ?? 0) > 0

  useSignalEffect(() => {
    if (devices.level.value > HEARD) heard.value = true
  })

  const listening = heard.value ? 'well' : 'silent'
  const finding = !hasTrack ? 'none' : devices.microphoneOn.value ? listening : 'off'
  return (
    <Part title={t('devices.microphone')}>
      <MicrophoneLevel />
      <p role="status">{t(`check.microphone.${finding}`)}</p>
    </Part>
  )
}

function SpeakerCheck({ check }: CheckProps) {
  const t = useTexts()
  const heard = useSignal<'unasked' | 'asked' | 'well' | 'silent'>('unasked')

  function play(): void {
    check.playTune()
    heard.value = 'asked'
  }

  return (
    <Part title={t('devices.speaker')}>
      <Button variant="quiet" onClick={play}>
        {t('check.speaker.play')}
      </Button>
      <p role="status">{t(`check.speaker.${heard.value}`)}</p>
      {heard.value === 'asked' && (
        <p className={styles.choices}>
          <Button variant="quiet" onClick={() => (heard.value = 'well')}>
            {t('check.speaker.yes')}
          </Button>
          <Button variant="quiet" onClick={() => (heard.value = 'silent')}>
            {t('check.speaker.no')}
          </Button>
        </p>
      )}
    </Part>
  )
}

function NetworkCheck({ check }: CheckProps) {
  const t = useTexts()
  const ways = check.ways.value
  return (
    <Part title={t('check.network')}>
      <ul className={styles.ways}>
        {relayWays.map((way) => (
          <li key={way}>{t(`check.way.${ways[way]}`, { way: way.toUpperCase() })}</li>
        ))}
      </ul>
      <p role="status">{t(`check.network.${check.network.value}`)}</p>
    </Part>
  )
}

function StrengthCheck({ check }: CheckProps) {
  const t = useTexts()
  const strength = check.strength()
  return (
    <Part title={t('check.device')}>
      <p>{t(isWeakDevice(strength) ? 'check.device.weak' : 'check.device.well', { cores: strength.cores })}</p>
    </Part>
  )
}
