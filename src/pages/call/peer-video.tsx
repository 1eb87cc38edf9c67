import { useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useStores } from '../../stores/stores.ts'
import { FloatButton } from './float-button.tsx'
import styles from './peer-video.module.css'
import { SignalIndicator } from './signal-indicator.tsx'
import { usePlayback } from './use-playback.ts'
import { useSpeaker } from './use-speaker.ts'
import { useUnveiling } from './use-unveiling.ts'

/** Says calmly that the picture stands still and why; nothing needs to be done. */
function Healing() {
  const { call } = useStores()
  const health = call.health.value
  return (
    <div role="status" className={styles.over}>
      {health === 'broken' && <p className={styles.healing}>Reconnecting...</p>}
      {health === 'frozen' && <p className={styles.healing}>The picture is paused. You can still talk.</p>}
    </div>
  )
}

/** The peer's picture and sound: a spinner until the first frame, blurred at first, a button where the browser wants a tap. */
export function PeerVideo() {
  const { call, devices } = useStores()
  const video = useRef<HTMLVideoElement>(null)
  const stream = call.remote.value
  const { shown, refused, play } = usePlayback(video, stream)
  useSpeaker(video, devices.chosen.value.speaker)
  const { clear, unveil } = useUnveiling(video, stream)
  return (
    <div className={styles.frame}>
      <video
        ref={video}
        className={styles.video}
        data-blurred={!clear || undefined}
        aria-label="Peer video"
        playsInline
      ></video>
      {stream && (
        <div className={styles.head}>
          <SignalIndicator />
          <p className={styles.name}>{call.peerNickName}</p>
        </div>
      )}
      {shown && <Healing />}
      {stream && !shown && !refused && (
        <div className={styles.over}>
          <Spinner label="Waiting for the picture" large quiet />
        </div>
      )}
      {refused && (
        <div className={styles.over}>
          <Button onClick={play}>Tap to play</Button>
        </div>
      )}
      {shown && !refused && !clear && (
        <button type="button" className={styles.veil} onClick={unveil}>
          <span>Tap to see clearly</span>
        </button>
      )}
      {shown && clear && <FloatButton video={video} />}
    </div>
  )
}
