import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useCurtain, useReadings } from '../../curtain/use-curtain.tsx'
import { interruptionText } from '../../devices/rules/interruption.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { OwnVideo } from '../../ui/members/own-video.tsx'
import { type Corner, cornerTowards, nearestCorner } from './corners.ts'
import styles from './self-view.module.css'

const SETTLE_MS = 240

/** The user's own picture over the peer's. Pointer and arrow keys move it to a corner. */
export function SelfView() {
  const { curtain } = useCurtain()
  const { devices } = useDevices()
  const t = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const grip = useRef<{ x: number; y: number } | null>(null)
  const leaving = useRef<DOMRect | null>(null)
  const [corner, setCorner] = useState<Corner>(firstCorner)

  useLayoutEffect(() => {
    settle(frame.current, leaving.current)
    leaving.current = null
  })

  useEffect(() => (video.current ? curtain.showPicture('own', video.current) : undefined), [curtain])
  useReadings(video, 'own', true)

  function moveTo(to: Corner): void {
    leaving.current = frame.current?.getBoundingClientRect() ?? null
    setCorner({ ...to })
  }

  function lift(event: PointerEvent): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY }
  }

  function drag(event: PointerEvent): void {
    if (!grip.current || !frame.current) return
    frame.current.style.translate = `${event.clientX - grip.current.x}px ${event.clientY - grip.current.y}px`
  }

  function drop(): void {
    const stage = frame.current?.parentElement
    if (!grip.current || !frame.current || !stage) return
    grip.current = null
    const box = frame.current.getBoundingClientRect()
    moveTo(nearestCorner(box.left + box.width / 2, box.top + box.height / 2, stage.getBoundingClientRect()))
  }

  function press(event: KeyboardEvent): void {
    const to = cornerTowards(corner, event.key)
    if (!to) return
    event.preventDefault()
    moveTo(to)
  }

  return (
    <div ref={frame} className={styles.frame} data-vertical={corner.vertical} data-horizontal={corner.horizontal}>
      <OwnVideo video={video} stream={devices.stream.value} className={styles.video} />
      <Interrupted />
      <button
        type="button"
        className={styles.grip}
        aria-label={t('call.move-picture')}
        onPointerDown={lift}
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={drop}
        onKeyDown={press}
      />
    </div>
  )
}

/** Returns the bottom corner at the end of the text direction. */
function firstCorner(): Corner {
  return { vertical: 'bottom', horizontal: document.documentElement.dir === 'rtl' ? 'left' : 'right' }
}

/** The note over the user's own picture: a device was interrupted, or the picture may show nothing or nobody. */
function Interrupted() {
  const { curtain, pictureStates } = useCurtain()
  const { devices } = useDevices()
  const t = useTexts()
  const interruption = devices.interruption.value
  const off = !devices.cameraOn.value
  const flagged = !interruption && !off && curtain.isOwnFlagged.value
  const shows = interruption || off || flagged ? 'fine' : pictureStates.own.value
  const isWide = flagged || shows !== 'fine'
  return (
    <p role="status" className={styles.note} data-covers={off || undefined} data-wide={isWide || undefined}>
      {interruption ? t(interruptionText(interruption)) : off && t('call.camera-off')}
      {flagged && t('call.curtain.own')}
      {shows !== 'fine' && t(`call.own-picture.${shows}`)}
    </p>
  )
}

/** Animates the frame from its old position to its new corner. */
function settle(frame: HTMLElement | null, from: DOMRect | null): void {
  if (!frame || !from) return
  frame.style.translate = ''
  const to = frame.getBoundingClientRect()
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  frame.animate([{ translate: `${from.left - to.left}px ${from.top - to.top}px` }, { translate: '0 0' }], {
    duration: still ? 0 : SETTLE_MS,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  })
}
