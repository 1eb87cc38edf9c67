import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { OwnVideo } from '../../ui/members/own-video.tsx'
import { type CropView, cropOf, moved, type PictureSize, placed, wholeView, ZOOM_MAX, zoomed } from '../rules/crop.ts'
import type { ChosenPicture, NoPicture } from '../state/profile.ts'
import { useMember } from '../use-account.ts'
import styles from './profile-editor.module.css'

/** The picture types that the server accepts. */
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,image/bmp,image/x-icon'

export type DraftPicture = 'kept' | 'removed' | (ChosenPicture & { view: CropView })

type PictureFieldProps = {
  picture: DraftPicture
  /** The object URL of the chosen picture. */
  url: string | null
  hasPicture: boolean
  onChange: (picture: DraftPicture) => void
  /** The picture as other users will see it. */
  preview: ReactNode
}

/** A field to choose a picture from the camera or a file and the part of it to use, or to remove the picture. */
export function PictureField({ picture, url, hasPicture, onChange, preview }: PictureFieldProps) {
  const { profile } = useMember()
  const { devices } = useDevices()
  const t = useTexts()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  const [fault, setFault] = useState<
    'profile.picture-unreadable' | 'profile.picture.no-camera' | 'profile.picture.changed' | null
  >(null)
  const [usesCamera, setUsesCamera] = useState(false)
  const stream = devices.stream.value

  async function choose(from: Promise<ChosenPicture | NoPicture>, ifNone: NonNullable<typeof fault>): Promise<void> {
    setFault(null)
    const chosen = await from
    if (typeof chosen === 'string') return setFault(chosen === 'changed' ? 'profile.picture.changed' : ifNone)
    setUsesCamera(false)
    onChange({ ...chosen, view: wholeView })
  }

  function chooseFile(files: FileList | null): void {
    const [first] = files ?? []
    if (first) void choose(profile.open(first), 'profile.picture-unreadable')
    // Reset, so that the same file can be chosen again.
    if (file.current) file.current.value = ''
  }

  function remove(): void {
    onChange('removed')
    // The pressed button disappears, so another button gets the focus.
    choices.current?.querySelector('button')?.focus()
  }

  const takesPicture = usesCamera && stream !== null
  return (
    <fieldset aria-labelledby={id} className={styles.picture}>
      <span id={id} className={styles.label}>
        {t('profile.picture')}
      </span>
      {takesPicture && <OwnVideo stream={stream} className={styles.camera} />}
      {!takesPicture && typeof picture !== 'string' && url !== null && (
        <CropField
          url={url}
          size={picture.size}
          view={picture.view}
          onChange={(view) => onChange({ ...picture, view })}
        />
      )}
      <div ref={choices} className={styles.choices}>
        {takesPicture ? (
          <>
            <Button onClick={() => void choose(profile.photograph(stream), 'profile.picture.no-camera')}>
              {t('profile.picture.take')}
            </Button>
            <Button variant="quiet" onClick={() => setUsesCamera(false)}>
              {t('profile.picture.back')}
            </Button>
          </>
        ) : (
          <>
            {stream && (
              <Button variant="quiet" onClick={() => setUsesCamera(true)}>
                {t('profile.picture.camera')}
              </Button>
            )}
            <Button variant="quiet" onClick={() => file.current?.click()}>
              {t('profile.picture.file')}
            </Button>
            {hasPicture && (
              <Button variant="plain" onClick={remove}>
                {t('profile.picture.remove')}
              </Button>
            )}
          </>
        )}
        <input
          ref={file}
          type="file"
          accept={ACCEPTED}
          hidden
          aria-label={t('profile.picture.file')}
          onChange={(event) => chooseFile(event.target.files)}
        />
      </div>
      <p role="alert" className="fault" hidden={fault === null}>
        {fault && t(fault)}
      </p>
      {preview}
    </fieldset>
  )
}

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
function CropField({ url, size, view, onChange }: CropFieldProps) {
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
      <p id={`${id}-how`} className="hint">
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
