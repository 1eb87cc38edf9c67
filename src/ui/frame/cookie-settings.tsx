import { useState, useSyncExternalStore } from 'react'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from '../../platform/state/cookie-choice.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import styles from './cookie-settings.module.css'

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
          <Button look="quiet" onClick={() => choose('all')}>
            {t('cookies.all')}
          </Button>
          <Button look="quiet" safe onClick={() => choose('necessary')}>
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
