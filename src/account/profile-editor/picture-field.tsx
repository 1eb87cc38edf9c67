import { type ReactNode, useId, useRef, useState } from 'react'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { OwnVideo } from '../../ui/members/own-video.tsx'
import { type CropView, wholeView } from '../rules/crop.ts'
import type { ChosenPicture, NoPicture } from '../state/profile.ts'
import { useMember } from '../use-account.ts'
import { CropField } from './crop-field.tsx'
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
            <Button look="quiet" onClick={() => setUsesCamera(false)}>
              {t('profile.picture.back')}
            </Button>
          </>
        ) : (
          <>
            {stream && (
              <Button look="quiet" onClick={() => setUsesCamera(true)}>
                {t('profile.picture.camera')}
              </Button>
            )}
            <Button look="quiet" onClick={() => file.current?.click()}>
              {t('profile.picture.file')}
            </Button>
            {hasPicture && (
              <Button look="plain" onClick={remove}>
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
      <p role="alert" className={styles.fault} hidden={fault === null}>
        {fault && t(fault)}
      </p>
      {preview}
    </fieldset>
  )
}
