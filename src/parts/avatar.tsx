import { useState } from 'react'
import styles from './avatar.module.css'
import { classNames } from './class-names.ts'

const DEFAULT_PICTURE = '/default-face.svg'

type AvatarProps = {
  /** Null shows the default picture; so does an address that does not load. */
  src: string | null
  /** Empty where the name stands beside the picture. */
  alt: string
  /** Sets the size; without it the picture fills its box. */
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
