import { type FormEvent, useId } from 'react'
import type { Gender } from '#protocol/fields.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { GenderField, NicknameField } from '../profile-fields/profile-fields.tsx'
import { birthError, type Day } from '../rules/age.ts'
import { nicknameError } from '../rules/nickname.ts'
import type { NicknameRefusal } from '../rules/nickname-refusal.ts'
import { useAccount } from '../use-account.ts'
import { BirthField } from './birth-field.tsx'
import styles from './welcome.module.css'

/** The current input; gender and day always have a value. */
export type Draft = { nickName: string; birth: Day; gender: Gender }

/** The field that has the focus when the form is shown again. */
export type FormFocus = 'nickname' | 'birth' | null

type ProfileFormProps = {
  draft: Draft
  today: Day
  birthFixed: boolean
  focus: FormFocus
  /** Why the server refused this nickname; null if it was not refused. */
  refusal: NicknameRefusal | null
  onChange: (change: Partial<Draft>) => void
  onConfirm: () => void
}

export function ProfileForm({ draft, today, birthFixed, focus, refusal, onChange, onConfirm }: ProfileFormProps) {
  const { account } = useAccount()
  const t = useTexts()
  const emailId = useId()
  const saving = account.savingProfile.value
  // `underage` is accepted here: only the server decides about the age.
  const isBirthPossible = [null, 'underage'].includes(birthError(draft.birth, today))
  const valid = nicknameError(draft.nickName) === null && isBirthPossible

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (valid && !saving) onConfirm()
  }

  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <div>
        <h1 className={styles.title}>{t('welcome.title')}</h1>
        <p className={styles.hint}>{t('welcome.hint')}</p>
      </div>
      <Field id={emailId} label={t('welcome.email')}>
        <input id={emailId} className={fields.input} type="email" value={account.email.value} readOnly />
      </Field>
      <NicknameField
        value={draft.nickName}
        focus={focus === 'nickname'}
        refusal={refusal}
        onChange={(nickName) => onChange({ nickName })}
      />
      <BirthField
        value={draft.birth}
        today={today}
        fixed={birthFixed}
        focus={focus === 'birth'}
        onChange={(birth) => onChange({ birth })}
      />
      <GenderField value={draft.gender} onChange={(gender) => onChange({ gender })} />
      <div className={styles.confirm}>
        <Button type="submit" wide disabled={!valid || saving}>
          {t(saving ? 'welcome.consent.saving' : 'welcome.confirm')}
        </Button>
      </div>
    </form>
  )
}
