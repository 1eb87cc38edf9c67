import { errorMessages } from '#protocol/errors.ts'
import { Button } from '../../parts/button.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useStores } from '../../stores/stores.ts'
import styles from './camera-card.module.css'
import { AllowPicture, ResetPicture } from './camera-pictures.tsx'

/** Stands in for the dashboard until camera and microphone are open. */
export function CameraCard() {
  const { devices } = useStores()
  const refused = devices.state.value === 'refused'
  return (
    <section className={styles.card} aria-labelledby="camera-title">
      <div className={styles.picture}>{refused ? <ResetPicture /> : <AllowPicture />}</div>
      <div className={styles.words}>
        <h1 id="camera-title" className={styles.title}>
          Turn on your camera and mic for video chat
        </h1>
        {refused ? (
          <>
            <p role="alert">{errorMessages['camera-refused']}</p>
            <Button onClick={() => void devices.open().catch(() => {})}>Try again</Button>
          </>
        ) : (
          <>
            <p>Camera and microphone access is required for chat. Select Allow while visiting the site option.</p>
            <Spinner label="Waiting for your camera" />
          </>
        )}
      </div>
    </section>
  )
}
