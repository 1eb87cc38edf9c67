import type { MediaTrouble } from '../../domain/media-trouble.ts'
import { Button } from '../../parts/button.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import styles from './camera-card.module.css'
import { AllowPicture, NoCameraPicture, ResetPicture } from './camera-pictures.tsx'

/** Shown instead of the dashboard until camera and microphone are open. */
export function CameraCard() {
  const { devices } = useStores()
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
            <p>{t('dashboard.camera.ask')}</p>
            <Spinner label={t('dashboard.camera.waiting')} />
          </>
        )}
      </div>
    </section>
  )
}

/** A picture of the browser's control to use, if there is one. */
function Picture({ trouble }: { trouble: MediaTrouble | null }) {
  if (trouble === 'denied') return <ResetPicture />
  return trouble === null || trouble === 'dismissed' ? <AllowPicture /> : <NoCameraPicture />
}

function Trouble() {
  const { devices } = useStores()
  const t = useTexts()
  const trouble = devices.trouble.value ?? 'denied'
  return (
    <>
      <p role="alert">{t(trouble === 'denied' ? 'notices.camera-refused' : `dashboard.trouble.${trouble}`)}</p>
      <p className={styles.steps}>{t(`dashboard.trouble.${trouble}.steps`)}</p>
      {trouble !== 'insecure' && (
        // A rejection is a state of the store, which this card shows.
        <Button onClick={() => void devices.open().catch(() => {})}>{t('dashboard.camera.try-again')}</Button>
      )}
    </>
  )
}
