import type { MediaTrouble } from '../../devices/rules/media-trouble.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './camera-card.module.css'
import { AllowPicture, NoCameraPicture, ownBrowser, ResetPicture } from './camera-pictures.tsx'

/** A card that is shown instead of the dashboard until camera and microphone are open. */
export function CameraCard() {
  const { devices } = useDevices()
  const t = useTexts()
  const refused = devices.state.value === 'refused'
  return (
    <section className={styles.card} aria-labelledby="camera-title">
      <div className={styles.picture}>
        <Picture trouble={refused ? devices.trouble.value : null} />
      </div>
      <div className={styles.words}>
        <h1 id="camera-title" className={styles.title}>
          {t('dashboard.camera.title')}
        </h1>
        {refused ? (
          <Trouble />
        ) : (
          <>
            <p>{t(askText())}</p>
            <Spinner label={t('dashboard.camera.waiting')} />
          </>
        )}
      </div>
    </section>
  )
}

/** A picture of the browser's control that the user must use, if there is one. */
function Picture({ trouble }: { trouble: MediaTrouble | null }) {
  if (trouble === 'denied') return <ResetPicture />
  return trouble === null || trouble === 'dismissed' ? <AllowPicture /> : <NoCameraPicture />
}

function askText() {
  const family = ownBrowser()
  if (family === 'chrome') return 'dashboard.camera.ask'
  return family === 'firefox' ? 'dashboard.camera.ask.firefox' : 'dashboard.camera.ask.short'
}

/** Returns the key of the text that says what helps, with the names that the user's browser uses. */
function stepsText(trouble: MediaTrouble) {
  const family = ownBrowser()
  if (family === 'chrome') return `dashboard.trouble.${trouble}.steps` as const
  if (trouble === 'denied') return `dashboard.trouble.denied.steps.${family}` as const
  return trouble === 'dismissed'
    ? 'dashboard.trouble.dismissed.steps.short'
    : (`dashboard.trouble.${trouble}.steps` as const)
}

function Trouble() {
  const { devices } = useDevices()
  const t = useTexts()
  const trouble = devices.trouble.value ?? 'denied'
  return (
    <>
      <p role="alert">{t(trouble === 'denied' ? 'toasts.camera-refused' : `dashboard.trouble.${trouble}`)}</p>
      <p className={styles.steps}>{t(stepsText(trouble))}</p>
      {trouble !== 'insecure' && (
        // The rejection is handled by the store, whose state this card shows.
        <Button onClick={() => void devices.open().catch(() => {})}>{t('dashboard.camera.try-again')}</Button>
      )}
    </>
  )
}
