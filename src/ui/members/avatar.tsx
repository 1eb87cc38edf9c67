import { useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './avatar.module.css'

const DEFAULT_PICTURE = '/default-face.svg'

type AvatarProps = {
  /** The default picture is shown for null and for a URL that does not load. */
  src: string | null
  /** Text alternative; empty if the name is beside the picture. */
  alt: string
  /** Sets the size; by default the picture fills its box. */
  className?: string | undefined
}

export function Avatar({ src, alt, className }: AvatarProps) {
  const [broken, setBroken] = useState<readonly string[]>([])
  const shown = [src, DEFAULT_PICTURE].find((url) => url !== null && !broken.includes(url))
  return (
    <span className={classNames(styles.avatar, className)}>
      {shown && <img src={shown} alt={alt} onError={() => setBroken([...broken, shown])} />}
    </span>
  )
}
