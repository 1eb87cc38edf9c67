import { useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { Button } from './button.tsx'
import styles from './cookie-banner.module.css'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from './cookie-choice.ts'
import { PRIVACY } from './links.ts'
import { useTexts } from './use-texts.ts'

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
        <Button look="quiet" onClick={() => chooseCookies('necessary')}>
          {t('cookies.only-necessary')}
        </Button>
        <Button look="quiet" onClick={() => chooseCookies('all')}>
          {t('cookies.all')}
        </Button>
      </div>
    </section>
  )
}
