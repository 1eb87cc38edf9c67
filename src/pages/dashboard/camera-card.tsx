import type { MediaTrouble } from '../../domain/media-trouble.ts'
import { Button } from '../../parts/button.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useStores } from '../../stores/stores.ts'
import styles from './camera-card.module.css'
import { AllowPicture, NoCameraPicture, ResetPicture } from './camera-pictures.tsx'
import { troubleHelp } from './trouble-help.ts'

/** Stands in for the dashboard until camera and microphone are open. */
export function CameraCard() {
  const { devices } = useStores()
  const refused = devices.state.value === 'refused'
  return (
    <section className={styles.card} aria-labelledby="camera-title">
      <div className={styles.picture}>
        <Picture trouble={refused ? devices.trouble.value : null} />
      </div>
      <div className={styles.words}>
        <h1 id="camera-title" className={styles.title}>
          Turn on your camera and mic for video chat
        </h1>
        {refused ? (
          <Trouble />
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

/** What to press in the browser, where pressing something there helps. */
function Picture({ trouble }: { trouble: MediaTrouble | null }) {
  if (trouble === 'denied') return <ResetPicture />
  return trouble === null || trouble === 'dismissed' ? <AllowPicture /> : <NoCameraPicture />
}

function Trouble() {
  const { devices } = useStores()
  const { text, steps, retry } = troubleHelp[devices.trouble.value ?? 'denied']
  return (
    <>
      <p role="alert">{text}</p>
      <p className={styles.steps}>{steps}</p>
      {retry && (
        // A refusal is a state of the store, and this card shows it.
        <Button onClick={() => void devices.open().catch(() => {})}>Try again</Button>
      )}
    </>
  )
}
