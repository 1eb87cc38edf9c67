import type { Provider } from '#protocol/fields.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useAccount } from '../use-account.ts'
import styles from './sign-in.module.css'

type ProviderButtonProps = { provider: Provider; onSignIn: (provider: Provider) => void }

/** Both providers require their own unchanged logo on a neutral button. */
export function ProviderButton({ provider, onSignIn }: ProviderButtonProps) {
  const { account } = useAccount()
  const t = useTexts()
  return (
    <Button
      look="quiet"
      wide
      className={styles.provider}
      disabled={account.signingIn.value}
      onClick={() => onSignIn(provider)}
    >
      {provider === 'Google' ? <GoogleMark /> : <FacebookMark />}
      {t('sign-in.provider', { provider })}
    </Button>
  )
}

function GoogleMark() {
  return (
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
  )
}

function FacebookMark() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill="#0866ff" />
      <path
        fill="#fff"
        d="M13.4 24v-8.5h2.85l.55-3.55h-3.4V9.7c0-1 .5-1.95 2.03-1.95h1.57v-3s-1.42-.25-2.78-.25c-2.85 0-4.7 1.72-4.7 4.85v2.6H6.4v3.55h3.12V24z"
      />
    </svg>
  )
}
