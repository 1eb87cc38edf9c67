import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { PRODUCT_NAME, SLOGAN } from '#protocol/constants.ts'
import type { Provider } from '#protocol/fields.ts'
import { PRIVACY, TERMS } from '../../parts/links.ts'
import { PublicPage } from '../../parts/public-page.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useTitle } from '../../parts/use-title.ts'
import { useVisitor } from '../../stores/stores.ts'
import { Collage } from './collage.tsx'
import { ProviderButton } from './provider-button.tsx'
import styles from './sign-in.module.css'

const providers: readonly Provider[] = ['Google', 'Facebook']

export function SignInPage() {
  const { account, session } = useVisitor()
  const navigate = useNavigate()
  useTitle('Sign in')
  useEffect(() => session.mark('signInPageLoaded'), [session])

  async function signIn(provider: Provider): Promise<void> {
    if (await account.signIn(provider)) navigate('/welcome')
  }

  return (
    <PublicPage>
      <div className={styles.halves}>
        <div className={styles.words}>
          <h1 className={styles.heading}>Welcome to {PRODUCT_NAME}</h1>
          <p className={styles.slogan}>{SLOGAN}</p>
          <div className={styles.providers}>
            {providers.filter(account.offers).map((provider) => (
              <ProviderButton key={provider} provider={provider} onSignIn={signIn} />
            ))}
          </div>
          <Waiting />
          <p className={styles.agreement}>
            By registering you agree to{' '}
            <Link to={TERMS.to} target="_blank">
              Terms and conditions
            </Link>{' '}
            and{' '}
            <Link to={PRIVACY.to} target="_blank">
              Data privacy policy
            </Link>
          </p>
        </div>
        <Collage />
      </div>
    </PublicPage>
  )
}

function Waiting() {
  const { account } = useVisitor()
  return <div className={styles.waiting}>{account.signingIn.value && <Spinner label="Signing in..." />}</div>
}
