import { useComputed } from '@preact/signals-react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { PictureState } from '#protocol/picture-state.ts'
import { useCurtain, useReadings } from '../../curtain/use-curtain.tsx'
import { useDevices } from '../../devices/use-devices.tsx'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { usePopover } from '../../ui/use-popover.ts'
import type { CallCause } from '../rules/call-cause.ts'
import type { Signal } from '../rules/governor.ts'
import { useCall } from '../use-call.ts'
import { PeerAvatar, PeerName } from './peer.tsx'
import styles from './peer-video.module.css'
import { usePlayback, useSpeaker, useUnveiling } from './use-playback.ts'
import { useVeil, Veil } from './veil.tsx'

/** Returns how the network reduces the user's own picture; null while it moves. */
function ownPicture({ reason }: Signal): 'stills' | 'sound-only' | null {
  return reason === 'stills' || reason === 'sound-only' ? reason : null
}

/** Explains why there is no new picture; the user need not act. If none is sent, the peer's face is shown. */
function PictureStatus() {
  const { call, quality } = useCall()
  const { pictureStates } = useCurtain()
  const t = useTexts()
  const shows = pictureStates.peer.value
  const health = call.health.value
  const name = call.peerNickName.value || t('toasts.unnamed-peer')
  const picture = quality.peerPicture.value
  const hasPicture = quality.hasPeerPicture.value
  const own = useComputed(() => ownPicture(quality.indicator.value)).value
  return (
    <>
      {!hasPicture && <div className={styles.cover} />}
      <div className={styles.over}>
        <div role="status" className={styles.notes}>
          {!hasPicture && <PeerAvatar className={styles.face} />}
          {health === 'broken' && <p className={styles.note}>{t('call.healing')}</p>}
          {health !== 'broken' && picture !== 'moving' && (
            <p className={styles.note}>{t(`call.no-picture.${picture}`, { name })}</p>
          )}
          {health === 'frozen' && picture === 'moving' && <p className={styles.note}>{t('call.frozen')}</p>}
          {shows !== 'fine' && <p className={styles.note}>{t(`call.picture.${shows}`)}</p>}
          {health !== 'broken' && own && <p className={styles.note}>{t(`call.own-${own}`)}</p>}
        </div>
        {shows !== 'fine' && <ReportPicture shows={shows} />}
      </div>
    </>
  )
}

/** A button that reports a picture that shows nobody. One press reports it and ends the call. */
function ReportPicture({ shows }: { shows: Exclude<PictureState, 'fine'> }) {
  const { call } = useCall()
  const t = useTexts()

  function report(): void {
    // As in the report dialog, the peer's picture is captured before the call ends.
    call.dispatch({ type: 'report-opened' })
    call.dispatch({ type: 'report-chosen', report: 'ReportOnly', details: { reason: reasonOf[shows] } })
  }

  return (
    <Button variant="quiet" className={styles.report} onClick={report}>
      {t('call.picture.report')}
    </Button>
  )
}

/** A picture that never changes or repeats itself is a recording or shows nobody. A black one may be anything. */
const reasonOf = { black: 'other', still: 'spam', looped: 'spam' } as const

/**
 * The peer's picture and sound: a spinner until the first frame, then a blurred picture, then the clear one. A button
 * if the browser requires a tap.
 */
export function PeerVideo({ onReport }: { onReport: () => void }) {
  const { call } = useCall()
  const { devices } = useDevices()
  const t = useTexts()
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const stream = call.remote.value
  const { shown: drawn, refused, play } = usePlayback(video, stream)
  const shown = drawn && stream !== null
  useSpeaker(video, devices.chosen.value.speaker)
  useVeil(frame, video, shown)
  useReadings(video, 'peer', shown)
  const { clear, unveil } = useUnveiling(video, stream)
  return (
    <div ref={frame} className={styles.frame}>
      <video
        ref={video}
        className={styles.video}
        data-blurred={!clear || undefined}
        aria-label={t('call.peer-video')}
        playsInline
      ></video>
      {shown && <PictureStatus />}
      {stream && (
        <div className={styles.head}>
          <SignalIndicator />
          <div className={styles.peer}>
            <PeerAvatar className={styles.avatar} />
            <p className={styles.name}>
              <PeerName />
            </p>
          </div>
        </div>
      )}
      {stream && !shown && !refused && (
        <div className={styles.over}>
          <Spinner label={t('call.waiting')} large quiet />
        </div>
      )}
      {refused && (
        <div className={styles.over}>
          <Button onClick={play}>{t('call.play')}</Button>
        </div>
      )}
      {shown && !refused && !clear && (
        <button type="button" className={styles.veil} onClick={unveil}>
          <span>{t('call.unveil')}</span>
        </button>
      )}
      {shown && clear && <FloatButton video={video} />}
      <Veil onReport={onReport} />
    </div>
  )
}

/** Causes for which the popover offers sound only. */
const relievedBySound: ReadonlySet<string> = new Set<CallCause>([
  'udp-blocked',
  'slow-network',
  'lossy-network',
  'stills',
])

/** Three bars for the quality of the call. A tap shows the quality and its reason as text, and what helps. */
export function SignalIndicator() {
  const { call, hub, quality } = useCall()
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  const why = useId()
  const menu = usePopover<HTMLDivElement>()
  const broken = call.health.value === 'broken'
  const { bars } = quality.indicator.value
  const isHubLost = hub.state.value === 'reconnecting' || hub.state.value === 'gave-up'
  const isSoundChosen = pictureChoice.choice.value === 'sound'
  const faulty = isHubLost ? 'offline' : 'broken'
  const explained = broken ? faulty : isSoundChosen ? 'chosen' : quality.cause.value
  const name = call.peerNickName.value || t('toasts.unnamed-peer')
  const word = t(`call.signal.${broken ? 0 : bars}`)
  return (
    <>
      <button
        type="button"
        className={classNames('icon-button', styles.signal)}
        aria-label={word}
        aria-describedby={why}
        {...menu.opener}
      >
        <svg viewBox="0 0 20 16" aria-hidden="true" data-bars={broken ? 0 : bars}>
          <path d="M3 15v-4" />
          <path d="M10 15V7" />
          <path d="M17 15V2" />
        </svg>
      </button>
      <div className={styles.panel} {...menu.popover}>
        <p className={styles.word}>{word}</p>
        <p id={why}>{t(`call.signal.${explained}`, { name })}</p>
        {relievedBySound.has(explained) && (
          <Button onClick={() => pictureChoice.choose('sound')}>{t('call.signal.to-sound')}</Button>
        )}
        {explained === 'chosen' && <Button onClick={pictureChoice.choosePicture}>{t('call.signal.to-picture')}</Button>}
      </div>
    </>
  )
}

/** Shows the peer's picture in a picture-in-picture window. Absent if the browser has no such windows. */
function FloatButton({ video: ref }: { video: RefObject<HTMLVideoElement | null> }) {
  const { toasts } = usePlatform()
  const t = useTexts()
  const [floating, setFloating] = useState(false)

  useEffect(() => {
    const video = ref.current
    if (!video) return
    const entered = () => setFloating(true)
    const left = () => setFloating(false)
    video.addEventListener('enterpictureinpicture', entered)
    video.addEventListener('leavepictureinpicture', left)
    return () => {
      video.removeEventListener('enterpictureinpicture', entered)
      video.removeEventListener('leavepictureinpicture', left)
      if (document.pictureInPictureElement === video) document.exitPictureInPicture().catch(() => {})
    }
  }, [ref])

  function toggle(): void {
    const change = floating ? document.exitPictureInPicture() : ref.current?.requestPictureInPicture()
    change?.catch(() => toasts.show('toasts.no-small-window'))
  }

  if (!document.pictureInPictureEnabled) return null
  return (
    <button
      type="button"
      className={classNames('icon-button', styles.float)}
      aria-label={t('call.small-window')}
      aria-pressed={floating}
      onClick={toggle}
    >
      <Icon>
        <path d="M4 6.5h16v11H4zM12.5 12.5h5v3h-5z" />
      </Icon>
    </button>
  )
}
