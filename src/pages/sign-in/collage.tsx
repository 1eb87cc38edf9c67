import { classNames } from '../../parts/class-names.ts'
import { faceUrl } from '../../parts/faces.ts'
import { CallIcon } from '../../parts/icons.tsx'
import { useMedia } from '../../parts/use-media.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { useVisitor } from '../../stores/stores.ts'
import styles from './collage.module.css'
import { type Slot, useSlots } from './use-slots.ts'

const row: readonly Slot[] = ['left-2', 'left-1', 'center', 'right-1', 'right-2']

/** Decoration: faces that change every few seconds; none with the data saver. */
export function Collage() {
  const { pictureChoice } = useVisitor()
  return pictureChoice.isSaver.value ? null : <Faces />
}

/** In a row on phones and in a column on desktops. */
function Faces() {
  const wide = useMedia('(min-width: 1024px)')
  const slots = useSlots()
  const t = useTexts()
  const face = (slot: Slot, className?: string) => <Face key={slot} name={slots[slot]} className={className} />
  if (!wide) {
    return (
      <div className={styles.row} aria-hidden="true">
        {row.map((slot) => face(slot))}
      </div>
    )
  }
  return (
    <div className={styles.column} aria-hidden="true">
      {face('blurred-left', styles.blurredLeft)}
      {face('blurred-right', styles.blurredRight)}
      <div className={styles.top}>
        {face('top')}
        <span className={classNames(styles.bubble, styles.hello)}>{t('sign-in.hello')}</span>
      </div>
      <span className={styles.badge}>
        <CallIcon className={styles.callIcon} />
      </span>
      <div className={styles.bottom}>
        {face('bottom')}
        <span className={classNames(styles.bubble, styles.hi)}>{t('sign-in.hi')}</span>
      </div>
    </div>
  )
}

/** The key makes each new picture a new element, which fades in. */
function Face({ name, className }: { name: string; className?: string | undefined }) {
  return (
    <span className={classNames(styles.face, className)}>
      <img key={name} src={faceUrl(name, 256)} alt="" width="256" height="256" />
    </span>
  )
}
