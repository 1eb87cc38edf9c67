import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { Provider } from '#protocol/fields.ts'
import { PRIVACY, TERMS } from '../../parts/links.ts'
import { PublicPage } from '../../parts/public-page.tsx'
import { Rich } from '../../parts/rich.tsx'
import { openSignInWindow } from '../../parts/sign-in-window.ts'
import { Spinner } from '../../parts/spinner.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useVisitor } from '../../stores/stores.ts'
import { Collage } from './collage.tsx'
import { ProviderButton } from './provider-button.tsx'
import styles from './sign-in.module.css'

const providers: readonly Provider[] = ['Google', 'Facebook']
const promises = ['sign-in.promise.adults', 'sign-in.promise.anonymous', 'sign-in.promise.not-recorded'] as const

export function SignInPage() {
  const { account, visit } = useVisitor()
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
  const { account } = useVisitor()
  const t = useTexts()
  return <div className={styles.waiting}>{account.signingIn.value && <Spinner label={t('sign-in.waiting')} />}</div>
}
