import { useEffect, useState } from 'react'
import type { Provider } from '#protocol/fields.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { openSignInWindow } from '../sign-in/sign-in-window.ts'
import type { SignInAgain } from '../state/logins.ts'
import { useAccount, useMember } from '../use-account.ts'
import styles from './my-data.module.css'

const providers: readonly Provider[] = ['Google', 'Facebook']

/** Asks the user to sign in with their provider again before a sensitive action; then calls `onDone`. */
export function SignInAgainDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { account } = useAccount()
  const { logins } = useMember()
  const t = useTexts()
  const [refused, setRefused] = useState<Exclude<SignInAgain, 'done'> | null>(null)
  const busy = logins.signingIn.value
  useFocusReturn(busy)
  const own = logins.source.value
  // All configured providers until the account's provider is known.
  const offered = providers.filter((provider) => account.offers(provider) && (own === null || own === provider))

  useEffect(() => {
    void logins.load()
    return logins.forget
  }, [logins])

  async function signIn(provider: Provider): Promise<void> {
    setRefused(null)
    const text = t('my-data.again.provider', { provider })
    const outcome = await logins.signInAgain(provider, () => openSignInWindow(text))
    if (outcome === 'done') onDone()
    else setRefused(outcome)
  }

  return (
    <Dialog
      alert
      title={t('my-data.again.title')}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          {offered.map((provider) => (
            <Button key={provider} disabled={busy} onClick={() => void signIn(provider)}>
              {t('my-data.again.provider', { provider })}
            </Button>
          ))}
          <Button look="quiet" safe disabled={busy} onClick={onClose}>
            {t('my-data.again.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('my-data.again.why')}</p>
      <p role="alert" className={styles.failed} hidden={refused === null}>
        {refused !== null && t(`my-data.again.${refused}`)}
      </p>
    </Dialog>
  )
}
