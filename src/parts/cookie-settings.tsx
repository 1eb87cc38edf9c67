import { useState, useSyncExternalStore } from 'react'
import { useVisitor } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from './cookie-choice.ts'
import styles from './cookie-settings.module.css'
import { Dialog } from './dialog.tsx'
import { useTexts } from './use-texts.ts'

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
  const { config } = useVisitor()
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
