import { type CropView, cropOf, type PictureSize } from '../rules/crop.ts'
import styles from './profile-editor.module.css'

export type Cropping = { url: string; size: PictureSize; view: CropView }

const percent = (part: number) => `${100 * part}%`

/** The square of a picture that is kept, in the size of its box. */
export function CroppedPicture({ url, size, view }: Cropping) {
  const { x, y, side } = cropOf(size, view)
  const style = {
    left: percent(-x / side),
    top: percent(-y / side),
    width: percent(size.width / side),
    height: percent(size.height / side),
  }
  return <img src={url} alt="" draggable="false" className={styles.cropped} style={style} />
}
