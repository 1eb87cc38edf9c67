import styles from './face-row.module.css'
import { faceUrl } from './faces.ts'

/** Decoration: a few drawn faces side by side. */
export function FaceRow({ names }: { names: readonly string[] }) {
  return (
    <span className={styles.row} aria-hidden="true">
      {names.map((name) => (
        <img key={name} src={faceUrl(name, 64)} alt="" width="64" height="64" />
      ))}
    </span>
  )
}
