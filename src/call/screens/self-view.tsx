import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useCurtain, useReadings } from '../../curtain/use-curtain.tsx'
import { interruptionText } from '../../devices/rules/interruption.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { OwnVideo } from '../../ui/members/own-video.tsx'
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

type Corner = { vertical: 'top' | 'bottom'; horizontal: 'left' | 'right' }
type Box = { left: number; top: number; width: number; height: number }

/** Returns the corner of `box` that is nearest to a point in the same coordinates. */
export function nearestCorner(x: number, y: number, box: Box): Corner {
  return {
    vertical: y < box.top + box.height / 2 ? 'top' : 'bottom',
    horizontal: x < box.left + box.width / 2 ? 'left' : 'right',
  }
}

/** Returns the corner that an arrow key leads to; null for any other key. */
function cornerTowards(corner: Corner, key: string): Corner | null {
  switch (key) {
    case 'ArrowUp':
      return { ...corner, vertical: 'top' }
    case 'ArrowDown':
      return { ...corner, vertical: 'bottom' }
    case 'ArrowLeft':
      return { ...corner, horizontal: 'left' }
    case 'ArrowRight':
      return { ...corner, horizontal: 'right' }
    default:
      return null
  }
}

/** Returns the bottom corner at the end of the text direction. */
function firstCorner(): Corner {
  return { vertical: 'bottom', horizontal: document.documentElement.dir === 'rtl' ? 'left' : 'right' }
}

/** The note over the user's own picture: about the devices, or that the peer may see no picture or nobody. */
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
