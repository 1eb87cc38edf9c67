import { useSignal } from '@preact/signals-react'
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { isOneOf } from '#protocol/checks.ts'
import type { Gender } from '#protocol/fields.ts'
import type { OwnProfile } from '#protocol/profile-endpoints.ts'
import { trimNickname } from '#protocol/visible-words.ts'
import { formatDay } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { Linked } from '../../ui/frame/linked.tsx'
import { Avatar } from '../../ui/members/avatar.tsx'
import { Switch } from '../../ui/members/switch.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { GenderField, NicknameField } from '../profile-fields/profile-fields.tsx'
import { cropOf } from '../rules/crop.ts'
import { nicknameError } from '../rules/nickname.ts'
import type { ProfileDraft, ProfileFault } from '../state/profile.ts'
import { useAccount, useMember } from '../use-account.ts'
import { CroppedPicture, type Cropping, type DraftPicture, PictureField } from './picture-field.tsx'
import styles from './profile-editor.module.css'

const isNicknameRefusal = isOneOf(['reserved', 'contact', 'refused'])

/** The dialog in which users change nickname, gender and picture. */
export function ProfileEditor({ onClose }: { onClose: () => void }) {
  const { profile } = useMember()
  const t = useTexts()
  const formId = useId()
  const [failed, setFailed] = useState(false)
  const [valid, setValid] = useState(true)
  const stored = profile.stored.value
  const busy = profile.saving.value
  useFocusReturn(busy)

  useEffect(() => {
    void profile.load().then((read) => setFailed(!read))
    return profile.forget
  }, [profile])

  return (
    <Dialog
      title={t('profile.title')}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          {stored && (
            <Button type="submit" form={formId} disabled={busy || !valid}>
              {t(busy ? 'profile.saving' : 'profile.save')}
            </Button>
          )}
          <Button variant="quiet" safe disabled={busy} onClick={onClose}>
            {t('profile.cancel')}
          </Button>
        </>
      }
    >
      {stored ? (
        <ProfileForm id={formId} stored={stored} onValid={setValid} onSaved={onClose} />
      ) : (
        <p role="status">{t(failed ? 'profile.not-read' : 'profile.loading')}</p>
      )}
    </Dialog>
  )
}

type ProfileFormProps = {
  id: string
  stored: OwnProfile
  onValid: (valid: boolean) => void
  onSaved: () => void
}

function ProfileForm({ id, stored, onValid, onSaved }: ProfileFormProps) {
  const { account } = useAccount()
  const { config, texts } = usePlatform()
  const { profile } = useMember()
  const t = useTexts()
  // The profile is read again after it was saved. That must not change the form.
  const [draft, setDraft] = useState<Draft>(() => draftOf(stored))
  const [fault, setFault] = useState<ProfileFault | null>(null)
  const birthId = useId()
  const alert = useRef<HTMLParagraphElement>(null)
  const { picture } = draft
  const url = useObjectUrl(typeof picture === 'string' ? null : picture.file)
  const nicknameFault = isNicknameRefusal(fault) ? fault : null
  const otherFault = isNicknameRefusal(fault) ? null : fault
  const seen = seenAs(draft, stored)
  const hasPicture = seen !== 'none' && seen !== 'refused'

  useEffect(() => {
    if (otherFault) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [otherFault])

  function change(part: Partial<Draft>): void {
    setFault(null)
    setDraft({ ...draft, ...part })
    onValid(nicknameError(part.nickName ?? draft.nickName) === null)
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (nicknameError(draft.nickName) !== null) return
    setFault(null)
    const reason = await profile.save(finished(draft))
    if (reason) setFault(reason)
    else onSaved()
  }

  return (
    <form id={id} className={styles.form} onSubmit={(event) => void save(event)} noValidate>
      <PictureField
        picture={picture}
        url={url}
        hasPicture={hasPicture}
        onChange={(chosen) => change({ picture: chosen })}
        preview={
          <Preview
            nickName={trimNickname(draft.nickName)}
            seen={seen}
            picture={
              typeof picture === 'string' || url === null
                ? account.picture.value
                : { url, size: picture.size, view: picture.view }
            }
          />
        }
      />
      <ShowSwitch on={draft.showsPicture} choose={(showsPicture) => change({ showsPicture })} />
      <NicknameField
        value={draft.nickName}
        focus={nicknameFault !== null}
        refusal={nicknameFault}
        onChange={(nickName) => change({ nickName })}
      />
      <GenderField value={draft.gender} onChange={(gender) => change({ gender })} />
      <div>
        <Field id={birthId} label={t('profile.birth')}>
          <input
            id={birthId}
            className={fields.input}
            value={formatDay(texts.language.value, stored.dateOfBirth)}
            readOnly
            aria-describedby={`${birthId}-fixed`}
          />
        </Field>
        <p id={`${birthId}-fixed`} className="hint">
          {t('profile.birth.fixed')} {config.contactEmail !== null && <Linked text={t('profile.birth.write')} />}
        </p>
      </div>
      <p ref={alert} role="alert" className="fault" hidden={otherFault === null}>
        {otherFault && t(`profile.${otherFault}`)}
      </p>
    </form>
  )
}

type PreviewProps = {
  nickName: string
  seen: ReturnType<typeof seenAs>
  /** The URL of the user's current picture, or a chosen picture and its square. */
  picture: Cropping | string | null
}

/** Picture and nickname as other users see them. */
function Preview({ nickName, seen, picture }: PreviewProps) {
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
      <p role="status" className="hint">
        {t(`profile.preview.${seen}`)}
      </p>
    </section>
  )
}

/** The switch for showing the picture to other users. */
function ShowSwitch({ on, choose }: { on: boolean; choose: (on: boolean) => void }) {
  const t = useTexts()
  const isOn = useSignal(on)
  useLayoutEffect(() => {
    isOn.value = on
  }, [isOn, on])
  return <Switch label={t('profile.show')} why={t('profile.show.why')} on={isOn} choose={choose} />
}

/** Returns an object URL of the file. It is revoked when the file changes and when the component is unmounted. */
function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}

type Draft = { nickName: string; gender: Gender; showsPicture: boolean; picture: DraftPicture }

function draftOf({ nickName, gender, showsPicture }: OwnProfile): Draft {
  return { nickName, gender, showsPicture, picture: 'kept' }
}

function finished({ picture, ...draft }: Draft): ProfileDraft {
  if (typeof picture === 'string') return { ...draft, picture }
  const { file, size, view } = picture
  return { ...draft, picture: { file, size, crop: cropOf(size, view) } }
}

/** Returns what other users will see of the picture once the draft is saved. */
function seenAs({ picture, showsPicture }: Draft, stored: OwnProfile) {
  const { pictureState } = stored
  if (picture === 'kept' && pictureState === 'refused') return 'refused'
  if (picture === 'removed' || (picture === 'kept' && pictureState === 'none')) return 'none'
  if (!showsPicture) return 'hidden'
  return picture === 'kept' && pictureState === 'checking' ? 'checking' : 'shown'
}
