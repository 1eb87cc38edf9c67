import { type ReactElement, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Provider } from '#protocol/fields.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { providers } from '../rules/providers.ts'
import { useAccount } from '../use-account.ts'
import { Collage } from './collage.tsx'
import styles from './sign-in.module.css'
import { openSignInWindow } from './sign-in-window.ts'

const promises = ['sign-in.promise.adults', 'sign-in.promise.anonymous', 'sign-in.promise.not-recorded'] as const

export function SignInPage() {
  const { account } = useAccount()
  const { visit } = usePlatform()
  const navigate = useNavigate()
  const t = useTexts()
  useEffect(() => {
    visit.mark('signInPageLoaded')
    account.signInShown()
  }, [visit, account])

  async function signIn(provider: Provider): Promise<void> {
    const isSignedIn = await account.signIn(provider, () => openSignInWindow(t('sign-in.waiting')))
    if (isSignedIn) navigate('/welcome', { replace: true })
  }

  return (
    <PublicPage title={t('sign-in.title')}>
      <div className={styles.halves}>
        <div className={styles.words}>
          <h1 className={styles.heading}>{t('sign-in.heading')}</h1>
          <p className={styles.slogan}>{t('first.slogan')}</p>
          <div className={styles.providers}>
            {providers.filter(account.offers).map((provider) => (
              <ProviderButton key={provider} provider={provider} onSignIn={signIn} />
            ))}
          </div>
          <Waiting />
          <p className={styles.agreement}>
            <Linked text={t('sign-in.agreement')} newTab />
          </p>
          <ul className={styles.promises}>
            {promises.map((promise) => (
              <li key={promise}>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="m5 12.5 4.5 4.5L19 7" />
                </svg>
                {t(promise)}
              </li>
            ))}
          </ul>
        </div>
        <Collage />
      </div>
    </PublicPage>
  )
}

function Waiting() {
  const { account } = useAccount()
  const t = useTexts()
  return <div className={styles.waiting}>{account.signingIn.value && <Spinner label={t('sign-in.waiting')} />}</div>
}

type ProviderButtonProps = { provider: Provider; onSignIn: (provider: Provider) => void }

/** The sign-in button of a provider. Each provider requires its own unchanged logo on a neutral button. */
function ProviderButton({ provider, onSignIn }: ProviderButtonProps) {
  const { account } = useAccount()
  const t = useTexts()
  return (
    <Button
      variant="quiet"
      wide
      className={styles.provider}
      disabled={account.signingIn.value}
      onClick={() => onSignIn(provider)}
    >
      {logos[provider]}
      {t('sign-in.provider', { provider })}
    </Button>
  )
}

const logos: Record<Provider, ReactElement> = {
  Google: (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92c-.26 1.37-1.04 2.53-2.21 3.31v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.09z"
      />
      <path
        fill="#34a853"
        d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84C3.99 20.53 7.7 23 12 23z"
      />
      <path
        fill="#fbbc05"
        d="M5.84 14.09c-.22-.66-.35-1.36-.35-2.09s.13-1.43.35-2.09V7.07H2.18C1.43 8.55 1 10.22 1 12s.43 3.45 1.18 4.93l3.66-2.84z"
      />
      <path
        fill="#ea4335"
        d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15C17.45 2.09 14.97 1 12 1 7.7 1 3.99 3.47 2.18 7.07l3.66 2.84c.87-2.6 3.3-4.53 6.16-4.53z"
      />
    </svg>
  ),
  Facebook: (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill="#0866ff" />
      <path
        fill="#fff"
        d="M13.4 24v-8.5h2.85l.55-3.55h-3.4V9.7c0-1 .5-1.95 2.03-1.95h1.57v-3s-1.42-.25-2.78-.25c-2.85 0-4.7 1.72-4.7 4.85v2.6H6.4v3.55h3.12V24z"
      />
    </svg>
  ),
}
