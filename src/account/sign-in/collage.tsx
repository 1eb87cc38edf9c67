import { useEffect, useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { classNames } from '../../ui/class-names.ts'
import { allFaces, drawFaces, faceNames, faceUrl } from '../../ui/faces.ts'
import { CallIcon } from '../../ui/icons.tsx'
import { useMedia } from '../../ui/use-media.ts'
import styles from './sign-in.module.css'

const column = ['top', 'blurred-left', 'bottom', 'blurred-right'] as const
const row = ['left-2', 'left-1', 'center', 'right-1', 'right-2'] as const
const shortRow = ['left-1', 'center', 'right-1'] as const
type Slot = (typeof column | typeof row)[number]

/** The faces of a slot; a slot that is not listed shows any face. */
const faces: Partial<Record<Slot, readonly string[]>> = {
  top: faceNames.man,
  'blurred-left': faceNames.man,
  bottom: faceNames.woman,
  'blurred-right': faceNames.woman,
}

/** Decoration: faces that change every few seconds; none with the data saver. Only visible faces are loaded. */
export function Collage() {
  const { pictureChoice } = usePlatform()
  const wide = useMedia('(min-width: 1024px)')
  const narrow = useMedia('(max-width: 480px)')
  if (pictureChoice.isSaver.value) return null
  if (wide) return <FaceColumn />
  // The rows have different keys, because a mounted row cannot change its slots.
  return narrow ? <FaceRow key="short" shown={shortRow} /> : <FaceRow key="whole" shown={row} />
}

const rowClasses: Partial<Record<Slot, string | undefined>> = {
  'left-2': styles.outer,
  center: styles.center,
  'right-2': styles.outer,
}

function FaceRow({ shown }: { shown: readonly (typeof row)[number][] }) {
  const slots = useSlots(shown)
  return (
    <div className={styles.row} aria-hidden="true">
      {shown.map((slot) => (
        <Face key={slot} name={slots[slot]} className={rowClasses[slot]} />
      ))}
    </div>
  )
}

function FaceColumn() {
  const slots = useSlots(column)
  const t = useTexts()
  return (
    <div className={styles.column} aria-hidden="true">
      <Face name={slots['blurred-left']} className={styles.blurredLeft} />
      <Face name={slots['blurred-right']} className={styles.blurredRight} />
      <div className={styles.top}>
        <Face name={slots.top} />
        <span className={classNames(styles.bubble, styles.hello)}>{t('sign-in.hello')}</span>
      </div>
      <span className={styles.badge}>
        <CallIcon className={styles.callIcon} />
      </span>
      <div className={styles.bottom}>
        <Face name={slots.bottom} />
        <span className={classNames(styles.bubble, styles.hi)}>{t('sign-in.hi')}</span>
      </div>
    </div>
  )
}

/** The key makes each new picture a new element, which fades in. */
function Face({ name, className }: { name: string; className?: string | undefined }) {
  return (
    <span className={classNames(styles.face, className)}>
      <img key={name} src={faceUrl(name, 256)} alt="" width="256" height="256" decoding="async" />
    </span>
  )
}

const SHUFFLE_MS = 5_000

/** Assigns a different face to each of these slots. */
export function assignSlots<const S extends Slot>(shown: readonly S[]): Record<S, string> {
  const taken = new Set<string>()
  const slots = {} as Record<S, string>
  for (const slot of shown) {
    const [name = ''] = drawFaces(
      (faces[slot] ?? allFaces).filter((face) => !taken.has(face)),
      1,
    )
    taken.add(name)
    slots[slot] = name
  }
  return slots
}

/**
 * Resolves when all pictures are decoded or have failed. Until then the slots keep their faces, and afterwards painting need not decode.
 */
async function decoded(slots: Record<string, string>): Promise<void> {
  await Promise.allSettled(
    Object.values(slots).map((name) => {
      const picture = new Image()
      picture.src = faceUrl(name, 256)
      return picture.decode()
    }),
  )
}

/** Returns the faces of these slots. They change every 5 seconds, or later if pictures load slowly. */
function useSlots<const S extends Slot>(shown: readonly S[]): Record<S, string> {
  const [slots, setSlots] = useState(() => assignSlots(shown))
  useEffect(() => {
    let mounted = true
    let loading = false
    async function shuffle(): Promise<void> {
      if (loading || document.hidden) return
      loading = true
      const next = assignSlots(shown)
      await decoded(next)
      loading = false
      if (mounted) setSlots(next)
    }
    const timer = setInterval(shuffle, SHUFFLE_MS)
    return () => {
      mounted = false
      clearInterval(timer)
    }
  }, [shown])
  return slots
}
