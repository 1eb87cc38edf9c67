import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { type CropView, cropOf, moved, type PictureSize, placed, ZOOM_MAX, zoomed } from '../rules/crop.ts'
import styles from './profile-editor.module.css'

/** Distance by which one press of an arrow key moves the picture, as a share of the square's side. */
const STEP = 0.05
const ZOOM_STEP = 0.05

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

type CropFieldProps = Cropping & { onChange: (view: CropView) => void }

/** A field for the square of a picture: drag it, move it with the arrow keys, zoom it with a slider. */
export function CropField({ url, size, view, onChange }: CropFieldProps) {
  const t = useTexts()
  const id = useId()
  const dragged = useRef<{ x: number; y: number } | null>(null)

  function drag(event: PointerEvent<HTMLElement>): void {
    const from = dragged.current
    if (!from) return
    const { clientWidth: side } = event.currentTarget
    dragged.current = { x: event.clientX, y: event.clientY }
    onChange(moved(size, view, (event.clientX - from.x) / side, (event.clientY - from.y) / side))
  }

  function press(event: KeyboardEvent): void {
    const direction = directions[event.key]
    if (!direction) return
    event.preventDefault()
    onChange(moved(size, view, ...direction))
  }

  const drop = () => {
    dragged.current = null
  }
  const { centerX, centerY } = view
  return (
    <div className={styles.crop}>
      <div className={styles.square}>
        <CroppedPicture url={url} size={size} view={view} />
        {/* A slider, so that a screen reader passes on the arrow keys, which move the picture in all directions. */}
        <input
          type="range"
          min={0}
          max={1}
          step="any"
          value={centerX}
          aria-label={t('profile.crop')}
          aria-describedby={`${id}-how`}
          aria-valuetext={t('profile.crop.place', { x: Math.round(100 * centerX), y: Math.round(100 * centerY) })}
          className={styles.grip}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            dragged.current = { x: event.clientX, y: event.clientY }
          }}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
          onKeyDown={press}
          onChange={(event) => {
            // During a drag the pointer moves the picture, not this slider.
            if (!dragged.current) onChange(placed(size, view, event.target.valueAsNumber))
          }}
        />
      </div>
      <p id={`${id}-how`} className={styles.hint}>
        {t('profile.crop.how')}
      </p>
      <label className={styles.zoom}>
        {t('profile.crop.zoom')}
        <input
          type="range"
          min={1}
          max={ZOOM_MAX}
          step={ZOOM_STEP}
          value={view.zoom}
          onChange={(event) => onChange(zoomed(size, view, event.target.valueAsNumber))}
        />
      </label>
    </div>
  )
}

export type Cropping = { url: string; size: PictureSize; view: CropView }

const percent = (part: number) => `${100 * part}%`

/** The chosen square of a picture, scaled to its box. */
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
