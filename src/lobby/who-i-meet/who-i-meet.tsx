import { useTexts } from '../../platform/use-texts.ts'
import { DialogButton } from '../../ui/members/dialog-button.tsx'
import { useLobby } from '../use-lobby.ts'
import styles from './who-i-meet.module.css'

/** The card from which the dialog for languages and interests is opened. */
export function WhoIMeet() {
  const { loadPreferences } = useLobby()
  const t = useTexts()
  return (
    <section className={styles.card} aria-labelledby="who-title">
      <h2 id="who-title" className={styles.title}>
        {t('dashboard.who')}
      </h2>
      <p className="hint">{t('dashboard.who.why')}</p>
      <DialogButton
        variant="quiet"
        load={async () => {
          const [{ PreferencesDialog }, store] = await Promise.all([
            import('./preferences-dialog.tsx'),
            loadPreferences(),
          ])
          return (close, say) => (
            <PreferencesDialog
              store={store}
              onClose={close}
              onSaved={() => {
                close()
                say('preferences.saved')
              }}
            />
          )
        }}
        texts={['preferences']}
        failed="dashboard.who.failed"
        noteClass="hint"
      >
        {t('dashboard.who.choose')}
      </DialogButton>
    </section>
  )
}
