import { type ComponentType, useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import type { PreferencesStore } from '../state/preferences.ts'
import { useLobby } from '../use-lobby.ts'
import styles from './who-i-meet.module.css'

type DialogProps = { store: PreferencesStore; onClose: () => void; onSaved: () => void }
type Shown = { Dialog: ComponentType<DialogProps>; store: PreferencesStore }

/** The card from which languages and interests are chosen; their dialog is loaded with its texts when it is first opened. */
export function WhoIMeet() {
  const { loadPreferences } = useLobby()
  const { texts } = usePlatform()
  const t = useTexts()
  const [shown, setShown] = useState<Shown | null>(null)
  const [note, setNote] = useState<'failed' | 'saved' | null>(null)

  async function open(): Promise<void> {
    setNote(null)
    const loading = Promise.all([import('./preferences-dialog.tsx'), loadPreferences(), texts.need('preferences')])
    await loading.then(
      ([{ PreferencesDialog }, store]) => setShown({ Dialog: PreferencesDialog, store }),
      () => setNote('failed'),
    )
  }

  function saved(): void {
    setShown(null)
    setNote('saved')
  }

  return (
    <section className={styles.card} aria-labelledby="who-title">
      <h2 id="who-title" className={styles.title}>
        {t('dashboard.who')}
      </h2>
      <p className={styles.hint}>{t('dashboard.who.why')}</p>
      <Button look="quiet" aria-haspopup="dialog" onClick={() => void open()}>
        {t('dashboard.who.choose')}
      </Button>
      <p role="status" className={styles.hint} hidden={note === null}>
        {note !== null && t(note === 'saved' ? 'preferences.saved' : 'dashboard.who.failed')}
      </p>
      {shown && <shown.Dialog store={shown.store} onClose={() => setShown(null)} onSaved={saved} />}
    </section>
  )
}
