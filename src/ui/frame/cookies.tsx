import { useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from '../../platform/state/cookie-choice.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { PRIVACY } from '../links.ts'
import styles from './cookies.module.css'

/** Asks once which cookies may be set. Shown at the bottom of the public pages, without blocking them. */
export function CookieBanner() {
  const t = useTexts()
  const chosen = useSyncExternalStore<CookieChoice | null>(onCookieChoice, cookieChoice, () => 'necessary')
  if (chosen) return null
  return (
    <section aria-label={t('cookies.choice')} className={styles.banner}>
      <p>
        {t('cookies.text')} <Link to={PRIVACY.to}>{t('cookies.more')}</Link>
      </p>
      <div className={styles.choices}>
        <Button variant="quiet" onClick={() => chooseCookies('necessary')}>
          {t('cookies.only-necessary')}
        </Button>
        <Button variant="quiet" onClick={() => chooseCookies('all')}>
          {t('cookies.all')}
        </Button>
      </div>
    </section>
  )
}

/** Shows the cookie choice and lets the user change it. */
export function CookieSettings() {
  const t = useTexts()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.opener} onClick={() => setOpen(true)}>
        {t('cookies.settings')}
      </button>
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { config } = usePlatform()
  const t = useTexts()
  const chosen = useSyncExternalStore<CookieChoice | null>(onCookieChoice, cookieChoice, () => null)

  function choose(choice: CookieChoice): void {
    chooseCookies(choice)
    onClose()
  }

  return (
    <Dialog
      title={t('cookies.settings')}
      onClose={onClose}
      className={styles.dialog}
      actions={
        <>
          <Button variant="quiet" onClick={() => choose('all')}>
            {t('cookies.all')}
          </Button>
          <Button variant="quiet" safe onClick={() => choose('necessary')}>
            {t('cookies.only-necessary')}
          </Button>
        </>
      }
    >
      <p>{t('cookies.necessary')}</p>
      <p>{t(config.logs.length > 0 || config.experienceShare > 0 ? 'cookies.optional' : 'cookies.optional.none')}</p>
      <p>{t(`cookies.now.${chosen ?? 'none'}`)}</p>
    </Dialog>
  )
}
