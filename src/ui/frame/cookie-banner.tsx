import { useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from '../../platform/state/cookie-choice.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../button.tsx'
import { PRIVACY } from '../links.ts'
import styles from './cookie-banner.module.css'

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
