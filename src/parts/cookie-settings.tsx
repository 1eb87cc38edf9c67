import { useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { type CookieChoice, chooseCookies, cookieChoice, onCookieChoice } from './cookie-choice.ts'
import styles from './cookie-settings.module.css'
import { Dialog } from './dialog.tsx'

const texts = {
  open: 'Cookie settings',
  necessary:
    'Necessary: cookies that keep your session and your sign-in, and what this browser remembers because you chose it, such as your camera or this answer.',
  optional:
    'Optional: reports about faults of this page, kept in this browser until they are sent to us. If ads or analytics ever come, they belong here too. Everything works without them.',
  now: {
    none: 'You have not chosen yet: only what is necessary is used.',
    necessary: 'You allow what is necessary.',
    all: 'You allow everything.',
  },
  onlyNecessary: 'Necessary only',
  all: 'Allow all cookies',
}

/** Lets a visitor see and change at any time what the banner asked. */
export function CookieSettings() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.opener} onClick={() => setOpen(true)}>
        {texts.open}
      </button>
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SettingsDialog({ onClose }: { onClose: () => void }) {
  const chosen = useSyncExternalStore<CookieChoice | null>(onCookieChoice, cookieChoice, () => null)

  function choose(choice: CookieChoice): void {
    chooseCookies(choice)
    onClose()
  }

  return (
    <Dialog
      title={texts.open}
      onClose={onClose}
      className={styles.dialog}
      actions={
        <>
          <Button look="quiet" onClick={() => choose('all')}>
            {texts.all}
          </Button>
          <Button look="quiet" safe onClick={() => choose('necessary')}>
            {texts.onlyNecessary}
          </Button>
        </>
      }
    >
      <p>{texts.necessary}</p>
      <p>{texts.optional}</p>
      <p>{texts.now[chosen ?? 'none']}</p>
    </Dialog>
  )
}
