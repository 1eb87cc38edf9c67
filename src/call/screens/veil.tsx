import { effect } from '@preact/signals-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useCurtain } from '../../curtain/use-curtain.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useCall } from '../use-call.ts'
import styles from './peer-video.module.css'

/** Shows what the user can do about a veiled picture. */
export function Veil({ onReport }: { onReport: () => void }) {
  const { call } = useCall()
  const { curtain } = useCurtain()
  return curtain.isVeiled.value && call.phase.value === 'in-call' ? <VeilChoices onReport={onReport} /> : null
}

/** The box itself has the focus, so that a key that was meant for the chat presses no button. */
function VeilChoices({ onReport }: { onReport: () => void }) {
  const { call } = useCall()
  const { curtain } = useCurtain()
  const t = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const title = useId()
  const text = useId()
  useLentFocus(box)
  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      tabIndex={-1}
      className={styles.curtain}
    >
      <div className={styles.words}>
        <p id={title} className={styles.title}>
          {t('call.curtain.title')}
        </p>
        <p id={text}>{t('call.curtain.text')}</p>
      </div>
      <div className={styles.choices}>
        <Button variant="quiet" onClick={curtain.showAnyway}>
          {t('call.curtain.show')}
        </Button>
        <Button variant="bad" onClick={onReport}>
          {t('call.curtain.report')}
        </Button>
        <Button onClick={() => call.dispatch({ type: 'leave-now-pressed' })}>{t('call.curtain.leave')}</Button>
      </div>
    </div>
  )
}

/** Focuses the box while it is shown. Afterwards focuses the element that had the focus before, or else the page. */
function useLentFocus(box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const { activeElement, body } = document
    const page = box.current?.closest('main')
    const before = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : page
    box.current?.focus({ preventScroll: true })
    return () => {
      if (document.activeElement === null || document.activeElement === body) before?.focus({ preventScroll: true })
    }
  }, [box])
}

type FrameRef = RefObject<HTMLElement | null>
type VideoRef = RefObject<HTMLVideoElement | null>

/**
 * Passes the peer's video to the safety curtain while the picture is shown. When the curtain veils the picture, hides
 * picture and sound in the same task, without a render.
 */
export function useVeil(frame: FrameRef, video: VideoRef, shown: boolean): void {
  const { curtain } = useCurtain()

  useEffect(() => {
    if (!shown || !video.current) return
    return curtain.showPicture('peer', video.current)
  }, [curtain, video, shown])

  useLayoutEffect(
    () =>
      effect(() => {
        const isVeiled = curtain.isVeiled.value
        return frame.current && video.current ? veil(frame.current, video.current, isVeiled) : undefined
      }),
    [curtain, frame, video],
  )
}

/** Veils or unveils the video. Returns a function to be called before the next change. */
function veil(frame: HTMLElement, video: HTMLVideoElement, isVeiled: boolean): () => void {
  frame.toggleAttribute('data-veiled', isVeiled)
  video.muted = isVeiled
  video.disablePictureInPicture = isVeiled
  if (!isVeiled) return () => {}
  const close = () => closeSmallWindow(video)
  if (document.pictureInPictureElement === video) close()
  // A picture-in-picture window that was requested before may still open now.
  video.addEventListener('enterpictureinpicture', close)
  return () => video.removeEventListener('enterpictureinpicture', close)
}

/**
 * Closes the picture-in-picture window. The tracks are disabled until it is closed, since it shows the picture until
 * then, even if this page cannot close it.
 */
function closeSmallWindow(video: HTMLVideoElement): void {
  const { srcObject } = video
  const tracks = srcObject instanceof MediaStream ? srcObject.getVideoTracks() : []
  function enable(on: boolean): void {
    for (const track of tracks) track.enabled = on
  }
  function closed(): void {
    if (document.pictureInPictureElement === video) return
    video.removeEventListener('leavepictureinpicture', closed)
    enable(true)
  }
  enable(false)
  video.addEventListener('leavepictureinpicture', closed)
  document
    .exitPictureInPicture()
    .catch(() => {})
    .finally(closed)
}
