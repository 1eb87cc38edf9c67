import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { Provider } from '#protocol/fields.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { PRIVACY, TERMS } from '../../ui/links.ts'
import { Rich } from '../../ui/rich.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useAccount } from '../use-account.ts'
import { Collage } from './collage.tsx'
import { ProviderButton } from './provider-button.tsx'
import styles from './sign-in.module.css'
import { openSignInWindow } from './sign-in-window.ts'

const providers: readonly Provider[] = ['Google', 'Facebook']
const promises = ['sign-in.promise.adults', 'sign-in.promise.anonymous', 'sign-in.promise.not-recorded'] as const

export function SignInPage() {
  const { account } = useAccount()
  const { visit } = usePlatform()
  const navigate = useNavigate()
  const t = useTexts()
  useTitle(t('sign-in.title'))
  useEffect(() => {
    visit.mark('signInPageLoaded')
    account.signInShown()
  }, [visit, account])

  async function signIn(provider: Provider): Promise<void> {
    const isSignedIn = await account.signIn(provider, () => openSignInWindow(t('sign-in.waiting')))
    if (isSignedIn) navigate('/welcome', { replace: true })
  }

  return (
    <PublicPage>
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
            <Rich
              text={t('sign-in.agreement')}
              tags={{
                terms: (words) => (
                  <Link to={TERMS.to} target="_blank">
                    {words}
                  </Link>
                ),
                privacy: (words) => (
                  <Link to={PRIVACY.to} target="_blank">
                    {words}
                  </Link>
                ),
              }}
            />
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
