import { useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { allFaces, drawFaces, faceUrl } from '../../ui/faces.ts'
import styles from './face-row.module.css'

/** Decoration: a row of drawn faces, chosen at random. Empty with the data saver. */
export function FaceRow() {
  const { pictureChoice } = usePlatform()
  const [names] = useState(() => drawFaces(allFaces, 4))
  if (pictureChoice.isSaver.value) return null
  return (
    <span className={styles.row} aria-hidden="true">
      {names.map((name) => (
        <img key={name} src={faceUrl(name, 64)} alt="" width="64" height="64" />
      ))}
    </span>
  )
}
