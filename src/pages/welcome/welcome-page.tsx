import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { dayOf, isoDay, parseDay, proposedBirth } from '../../domain/age.ts'
import { LanguageMenu } from '../../parts/language-menu.tsx'
import { Logo } from '../../parts/logo.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useVisitor } from '../../stores/stores.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { type Draft, ProfileForm } from './profile-form.tsx'
import styles from './welcome.module.css'

/** The first screen after sign-in: the profile form, then the consent. The form starts from a returning user's profile. */
export function WelcomePage() {
  const { account } = useVisitor()
  const navigate = useNavigate()
  const [today] = useState(() => dayOf(Date.now()))
  const [known] = useState(() => account.profile.peek())
  const [draft, setDraft] = useState<Draft>(() => ({
    nickName: known?.nickName ?? '',
    birth: (known && parseDay(known.dateOfBirth)) ?? proposedBirth(today),
    gender: known?.gender ?? 'boy',
  }))
  const [step, setStep] = useState<'profile' | 'consent' | 'profile again'>('profile')
  const t = useTexts()
  useTitle(t('welcome.title'))

  async function accept(): Promise<void> {
    const saved = await account.saveProfile({
      nickName: draft.nickName.trim(),
      gender: draft.gender,
      dateOfBirth: isoDay(draft.birth),
    })
    if (saved) navigate('/dashboard')
  }

  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Logo />
        <LanguageMenu />
      </header>
      <main className={styles.main}>
        {step === 'consent' ? (
          <ConsentDialog onAccept={accept} onBack={() => setStep('profile again')} />
        ) : (
          <ProfileForm
            draft={draft}
            today={today}
            birthFixed={known !== null}
            focusFirst={step === 'profile again'}
            onChange={(change) => setDraft({ ...draft, ...change })}
            onConfirm={() => setStep('consent')}
          />
        )}
      </main>
    </div>
  )
}
