import { useId } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Avatar } from '../../ui/members/avatar.tsx'
import { CroppedPicture, type Cropping } from './cropped-picture.tsx'
import type { seenAs } from './draft.ts'
import styles from './profile-editor.module.css'

type PreviewProps = {
  nickName: string
  seen: ReturnType<typeof seenAs>
  /** The own picture: a URL, or a part of a chosen one. */
  picture: Cropping | string | null
}

/** Picture and nickname as other users see them. */
export function Preview({ nickName, seen, picture }: PreviewProps) {
  const t = useTexts()
  const id = useId()
  const shown = seen === 'shown' || seen === 'checking' ? picture : null
  return (
    <section aria-labelledby={id} className={styles.preview}>
      <span id={id} className={styles.label}>
        {t('profile.preview')}
      </span>
      <p className={styles.seen}>
        {shown === null || typeof shown === 'string' ? (
          <Avatar src={shown} alt="" className={styles.small} />
        ) : (
          <span className={styles.smallCropped}>
            <CroppedPicture {...shown} />
          </span>
        )}
        <span className={styles.seenName}>{nickName}</span>
      </p>
      <p role="status" className={styles.hint}>
        {t(`profile.preview.${seen}`)}
      </p>
    </section>
  )
}
