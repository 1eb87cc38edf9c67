import { useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { Button } from './button.tsx'
import styles from './cookie-banner.module.css'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from './cookie-choice.ts'
import { PRIVACY } from './links.ts'

/** Asks once which cookies may be set. Lies at the bottom of the public pages and blocks nothing. */
export function CookieBanner() {
  const chosen = useSyncExternalStore<CookieChoice | null>(onCookieChoice, cookieChoice, () => 'necessary')
  if (chosen) return null
  return (
    <section aria-label="Cookies" className={styles.banner}>
      <p>
        We need a few cookies to keep you signed in. With your consent we also use cookies for ads and analytics.{' '}
        <Link to={PRIVACY.to}>Read more</Link>
      </p>
      <div className={styles.choices}>
        <Button look="quiet" onClick={() => chooseCookies('necessary')}>
          Necessary only
        </Button>
        <Button look="quiet" onClick={() => chooseCookies('all')}>
          Allow all cookies
        </Button>
      </div>
    </section>
  )
}
