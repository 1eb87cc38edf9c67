import { useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useStores } from '../../stores/stores.ts'
import styles from './peer-video.module.css'
import { usePlayback } from './use-playback.ts'

/** The peer's picture and sound: a spinner until the first frame, a button where the browser wants a tap first. */
export function PeerVideo() {
  const { call } = useStores()
  const video = useRef<HTMLVideoElement>(null)
  const stream = call.remote.value
  const { shown, refused, play } = usePlayback(video, stream)
  return (
    <div className={styles.frame}>
      <video ref={video} className={styles.video} aria-label="Peer video" playsInline></video>
      {stream && <p className={styles.name}>{call.peerNickName}</p>}
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
    </div>
  )
}
