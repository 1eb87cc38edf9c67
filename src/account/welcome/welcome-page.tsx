import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Gender } from '#protocol/fields.ts'
import { trimNickname } from '#protocol/visible-words.ts'
import { formatDay } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { LanguageMenu } from '../../ui/frame/language-menu.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { Logo } from '../../ui/logo.tsx'
import { GenderField, NicknameField } from '../profile-fields/profile-fields.tsx'
import { ageOn, birthError, type Day, dayOf, isoDay, latestDayOf, parseDay, proposedBirth } from '../rules/age.ts'
import { nicknameError } from '../rules/nickname.ts'
import type { NicknameRefusal } from '../rules/nickname-refusal.ts'
import { useAccount } from '../use-account.ts'
import { BirthField } from './birth-field.tsx'
import styles from './welcome.module.css'

/** The current input; gender and day always have a value. */
type Draft = { nickName: string; birth: Day; gender: Gender }

/** The field that has the focus when the form is shown again. */
type FormFocus = 'nickname' | 'birth' | null

/**
 * The first screen after sign-in: the profile form, then the consent. The form begins with the profile of a returning
 * user. After a failure it keeps the input and the consent.
 */
export function WelcomePage() {
  const { account } = useAccount()
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(account.serverNow()))
  const [known] = useState(() => account.profile.peek())
  const [draft, setDraft] = useState<Draft>(() => ({
    nickName: known?.nickName ?? '',
    birth: (known && parseDay(known.dateOfBirth)) ?? proposedBirth(today),
    gender: known?.gender ?? 'boy',
  }))
  const [step, setStep] = useState<'profile' | 'age' | 'consent'>('profile')
  const [focus, setFocus] = useState<FormFocus>(null)
  const [isBirthChosen, setBirthChosen] = useState(known !== null)
  /** The nickname that the server refused last. */
  const [refused, setRefused] = useState<string | null>(null)
  const [hasAccepted, setAccepted] = useState(false)
  const t = useTexts()
  useTitle(t('welcome.title'))

  function change(changed: Partial<Draft>): void {
    if (changed.birth) setBirthChosen(true)
    setDraft({ ...draft, ...changed })
  }

  function showForm(focused: FormFocus): void {
    setFocus(focused)
    setStep('profile')
  }

  async function send(): Promise<void> {
    // Reset, so that a field that is refused again gets the focus again.
    setFocus(null)
    const input = { nickName: trimNickname(draft.nickName), gender: draft.gender, dateOfBirth: isoDay(draft.birth) }
    const saved = await account.saveProfile(input, { again: () => void send(), back: () => showForm('nickname') })
    if (saved) navigate('/dashboard', { replace: true })
    else if (account.nicknameRefusal.peek()) {
      setRefused(input.nickName)
      showForm('nickname')
    }
  }

  function confirm(): void {
    if (birthError(draft.birth, latestDayOf(account.serverNow())) === 'underage') setStep('age')
    else if (hasAccepted) void send()
    else setStep('consent')
  }

  function accept(): void {
    setAccepted(true)
    void send()
  }

  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Logo />
        <LanguageMenu />
      </header>
      <main className={styles.main}>
        {step === 'age' && (
          <AgeQuestion
            birth={draft.birth}
            today={latestDayOf(account.serverNow())}
            onBack={() => showForm('birth')}
            onAccept={() => void send()}
          />
        )}
        {step === 'consent' && (
          <ConsentQuestion
            unchosenBirth={isBirthChosen ? null : draft.birth}
            onAccept={accept}
            onBack={() => showForm('nickname')}
            onCorrectBirth={() => showForm('birth')}
          />
        )}
        {step === 'profile' && (
          <ProfileForm
            draft={draft}
            today={today}
            birthFixed={account.profile.value !== null}
            focus={focus}
            refusal={refused === trimNickname(draft.nickName) ? account.nicknameRefusal.value : null}
            onChange={change}
            onConfirm={confirm}
          />
        )}
      </main>
    </div>
  )
}

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

function ProfileForm({ draft, today, birthFixed, focus, refusal, onChange, onConfirm }: ProfileFormProps) {
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
        <p className="hint">{t('welcome.hint')}</p>
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

type Answers = { onBack: () => void; onAccept: () => void }
type QuestionProps = Answers & { title: string; back: string; accept: string; children: ReactNode }

/** A dialog before the profile is sent; its buttons are disabled while it is being saved. */
function Question({ title, back, accept, onBack, onAccept, children }: QuestionProps) {
  const { account } = useAccount()
  const saving = account.savingProfile.value
  return (
    <Dialog
      title={title}
      onClose={saving ? undefined : onBack}
      actions={
        <>
          <Button variant="quiet" safe disabled={saving} onClick={onBack}>
            {back}
          </Button>
          <Button disabled={saving} onClick={onAccept}>
            {accept}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

/** Asks once whether a minor's date of birth is right. Mentioning the consequence would suggest another date. */
function AgeQuestion({ birth, today, ...answers }: Answers & { birth: Day; today: Day }) {
  const { account } = useAccount()
  const { texts } = usePlatform()
  const t = useTexts()
  return (
    <Question
      title={t('welcome.age.title')}
      back={t('welcome.consent.correct-birth')}
      accept={t(account.savingProfile.value ? 'welcome.age.saving' : 'welcome.age.right')}
      {...answers}
    >
      <p>
        {t('welcome.age.text', {
          day: formatDay(texts.language.value, isoDay(birth)),
          age: String(ageOn(birth, today)),
        })}
      </p>
    </Question>
  )
}

type ConsentQuestionProps = Answers & {
  /** The proposed date of birth if the user has not changed it; the dialog then asks for it. Null otherwise. */
  unchosenBirth: Day | null
  onCorrectBirth: () => void
}

/** Asks for consent to the community guidelines; nothing is sent before Accept. */
function ConsentQuestion({ unchosenBirth, onCorrectBirth, ...answers }: ConsentQuestionProps) {
  const { account } = useAccount()
  const { texts } = usePlatform()
  const t = useTexts()
  const saving = account.savingProfile.value
  return (
    <Question
      title={t('welcome.consent.title')}
      back={t('welcome.consent.back')}
      accept={t(saving ? 'welcome.consent.saving' : 'welcome.consent.accept')}
      {...answers}
    >
      <p>{t('welcome.consent.risk')}</p>
      <p>{t('welcome.consent.cookies')}</p>
      <p>
        <Linked text={t('welcome.consent.agreement')} newTab />
      </p>
      {unchosenBirth && (
        <div className={styles.birthQuestion}>
          <p>{t('welcome.consent.birth', { day: formatDay(texts.language.value, isoDay(unchosenBirth)) })}</p>
          <Button variant="plain" disabled={saving} onClick={onCorrectBirth}>
            {t('welcome.consent.correct-birth')}
          </Button>
        </div>
      )}
    </Question>
  )
}
