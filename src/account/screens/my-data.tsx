import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router-dom'
import type { Provider } from '#protocol/fields.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import { formatMoment, formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { providers } from '../rules/providers.ts'
import { openSignInWindow } from '../sign-in/sign-in-window.ts'
import type { SignInAgain } from '../state/logins.ts'
import { useAccount, useMember } from '../use-account.ts'
import styles from './profile-popup.module.css'

/** The buttons for export and deletion of the user's data, in the profile popup. */
export function MyData() {
  const { myData } = useMember()
  const t = useTexts()
  const [failed, setFailed] = useState(false)
  const [open, setOpen] = useState<'logins' | 'delete' | 'sign-in-again' | null>(null)
  const close = () => setOpen(null)
  const busy = myData.exporting.value
  useFocusReturn(busy)

  async function download(): Promise<void> {
    setFailed(false)
    const outcome = await myData.download()
    setFailed(outcome === 'failed')
    if (outcome === 'sign-in-again') setOpen('sign-in-again')
  }

  function downloadAfterSignIn(): void {
    // The dialog must return the focus to the button before the download disables the button.
    flushSync(close)
    void download()
  }

  return (
    <div className={styles.actions}>
      <Button variant="plain" onClick={() => setOpen('logins')}>
        {t('my-data.logins')}
      </Button>
      <Button variant="plain" disabled={busy} onClick={() => void download()}>
        {t(busy ? 'my-data.downloading' : 'my-data.download')}
      </Button>
      <p role="status" className="fault" hidden={!failed}>
        {failed && t('my-data.download.failed')}
      </p>
      <Button variant="plain" className={styles.delete} onClick={() => setOpen('delete')}>
        {t('my-data.delete')}
      </Button>
      {open === 'logins' && <LoginsDialog onClose={close} />}
      {open === 'delete' && <DeleteAccountDialog onClose={close} />}
      {open === 'sign-in-again' && <SignInAgainDialog onDone={downloadAfterSignIn} onClose={close} />}
    </div>
  )
}

/** Asks the user to confirm the deletion. The button that cancels has the focus. */
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { account } = useAccount()
  const { myData } = useMember()
  const { toasts, texts } = usePlatform()
  const t = useTexts()
  const navigate = useNavigate()
  const [state, setState] = useState<'asking' | 'failed' | 'sign-in-again'>('asking')
  const busy = myData.changing.value
  useFocusReturn(busy)
  const days = myData.delayDays.value

  async function confirm(): Promise<void> {
    setState('asking')
    const outcome = await myData.requestDeletion()
    if (outcome !== 'done') {
      setState(outcome)
      return
    }
    const deletion = myData.deletion.peek()
    myData.forget()
    account.logout()
    if (deletion) {
      const day = (at: number) => formatTime(texts.language.peek(), at)
      toasts.show('toasts.deletion-asked', { due: day(deletion.dueAt), start: day(deletion.startAt) })
    }
    navigate('/', { replace: true })
  }

  if (state === 'sign-in-again') return <SignInAgainDialog onDone={() => void confirm()} onClose={onClose} />
  return (
    <Dialog
      alert
      title={t('my-data.delete.title')}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button variant="bad" disabled={busy} onClick={() => void confirm()}>
            {t(busy ? 'my-data.deleting' : 'my-data.delete')}
          </Button>
          <Button variant="quiet" safe disabled={busy} onClick={onClose}>
            {t('my-data.keep')}
          </Button>
        </>
      }
    >
      <p>{t('my-data.delete.what')}</p>
      <p>{t('my-data.delete.when')}</p>
      {days !== null && <p>{days > 0 ? t('my-data.delete.back', { days }) : t('my-data.delete.no-way-back')}</p>}
      <p>{t('my-data.delete.block')}</p>
      <p role="alert" className="fault" hidden={state !== 'failed'}>
        {state === 'failed' && t('my-data.delete.failed')}
      </p>
    </Dialog>
  )
}

/** Asks the user to sign in again before a sensitive action, and then calls `onDone`. */
function SignInAgainDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { account } = useAccount()
  const { logins } = useMember()
  const t = useTexts()
  const [refused, setRefused] = useState<Exclude<SignInAgain, 'done'> | null>(null)
  const busy = logins.signingIn.value
  useFocusReturn(busy)
  const own = logins.source.value
  // Until the account's provider is known, all configured providers are offered.
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
          <Button variant="quiet" safe disabled={busy} onClick={onClose}>
            {t('my-data.again.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('my-data.again.why')}</p>
      <p role="alert" className="fault" hidden={refused === null}>
        {refused !== null && t(`my-data.again.${refused}`)}
      </p>
    </Dialog>
  )
}

type State = 'loading' | 'listed' | 'ended' | 'not-read' | 'not-ended'

/** Lists the user's login sessions, and ends those that the user chooses. */
function LoginsDialog({ onClose }: { onClose: () => void }) {
  const { logins } = useMember()
  const t = useTexts()
  const [state, setState] = useState<State>('loading')
  const listed = logins.logins.value ?? []
  const busy = logins.changing.value
  const list = useRef<HTMLUListElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  useFocusReturn(busy, list)

  useEffect(() => {
    void logins.load().then((read) => setState(read ? 'listed' : 'not-read'))
    return logins.forget
  }, [logins])

  useEffect(() => {
    if (state !== 'listed') status.current?.scrollIntoView({ block: 'nearest' })
  }, [state])

  async function end(work: () => Promise<boolean>): Promise<void> {
    setState('listed')
    setState((await work()) ? 'ended' : 'not-ended')
  }

  const title = t('my-data.logins.title')
  const failed = state === 'not-read' || state === 'not-ended'
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          {listed.length > 1 && (
            <Button variant="bad" disabled={busy} onClick={() => void end(logins.endOthers)}>
              {t('my-data.logins.end-others')}
            </Button>
          )}
          <Button variant="quiet" safe onClick={onClose}>
            {t('my-data.logins.close')}
          </Button>
        </>
      }
    >
      {listed.length > 1 && <p>{t('my-data.logins.hint')}</p>}
      <p ref={status} role="status" className={failed ? 'fault' : 'hint'} hidden={state === 'listed'}>
        {state !== 'listed' && t(`my-data.logins.${state}`)}
      </p>
      <ul ref={list} tabIndex={-1} className={styles.logins} aria-label={title} aria-busy={state === 'loading'}>
        {listed.map((login) => (
          <Login key={login.id} login={login} busy={busy} onEnd={() => void end(() => logins.end(login.id))} />
        ))}
      </ul>
    </Dialog>
  )
}

function Login({ login, busy, onEnd }: { login: OwnLogin; busy: boolean; onEnd: () => void }) {
  const { texts } = usePlatform()
  const t = useTexts()
  const nameId = useId()
  const { browser, os, city, country, signedInAt, seenAt, isCurrent } = login
  const language = texts.language.value
  const location = [city, country].filter((part) => part !== null).join(', ')
  return (
    <li className={styles.login}>
      <p id={nameId} className={styles.device}>
        {browser !== null && os !== null ? t('my-data.logins.device', { browser, os }) : t('my-data.logins.unknown')}
      </p>
      {isCurrent && <p className={styles.here}>{t('my-data.logins.this')}</p>}
      <p className="hint">{location === '' ? t('my-data.logins.no-place') : location}</p>
      <p className="hint">{t('my-data.logins.since', { at: formatMoment(language, signedInAt) })}</p>
      {!isCurrent && <p className="hint">{t('my-data.logins.seen', { at: formatMoment(language, seenAt) })}</p>}
      {!isCurrent && (
        <Button variant="quiet" className={styles.end} disabled={busy} aria-describedby={nameId} onClick={onEnd}>
          {t('my-data.logins.end')}
        </Button>
      )}
    </li>
  )
}
