import { useEffect, useId, useRef, useState } from 'react'
import type { OwnLogin } from '#protocol/logins.ts'
import { formatMoment } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useMember } from '../use-account.ts'
import styles from './my-data.module.css'

type State = 'loading' | 'listed' | 'ended' | 'not-read' | 'not-ended'

/** Lists the user's login sessions and ends the ones that they choose. */
export function LoginsDialog({ onClose }: { onClose: () => void }) {
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
            <Button look="bad" disabled={busy} onClick={() => void end(logins.endOthers)}>
              {t('my-data.logins.end-others')}
            </Button>
          )}
          <Button look="quiet" safe onClick={onClose}>
            {t('my-data.logins.close')}
          </Button>
        </>
      }
    >
      {listed.length > 1 && <p>{t('my-data.logins.hint')}</p>}
      <p ref={status} role="status" className={failed ? styles.failed : styles.detail} hidden={state === 'listed'}>
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
      <p className={styles.detail}>{location === '' ? t('my-data.logins.no-place') : location}</p>
      <p className={styles.detail}>{t('my-data.logins.since', { at: formatMoment(language, signedInAt) })}</p>
      {!isCurrent && (
        <p className={styles.detail}>{t('my-data.logins.seen', { at: formatMoment(language, seenAt) })}</p>
      )}
      {!isCurrent && (
        <Button look="quiet" className={styles.end} disabled={busy} aria-describedby={nameId} onClick={onEnd}>
          {t('my-data.logins.end')}
        </Button>
      )}
    </li>
  )
}
