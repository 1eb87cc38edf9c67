import { useEffect } from 'react'
import { mayChat } from '#protocol/fields.ts'
import { Spinner } from '../../parts/spinner.tsx'
import { useStores } from '../../stores/stores.ts'
import { BlockPanel } from './block-panel.tsx'
import { CameraPreview } from './camera-preview.tsx'
import { CaseNotice } from './case-notice.tsx'
import styles from './dashboard.module.css'
import { PrivacySwitch } from './privacy-switch.tsx'
import { StartButton } from './start-button.tsx'

/** The dashboard proper, once the camera is open. */
export function Lobby() {
  const { lobby, privacy } = useStores()
  const { enter, leave } = lobby
  const { restore } = privacy
  const loaded = lobby.loaded.value && privacy.known.value

  useEffect(() => {
    void restore()
    void enter()
    return leave
  }, [restore, enter, leave])

  return (
    <div className={styles.lobby}>
      <CameraPreview />
      {loaded ? <Invitation /> : <InvitationSkeleton />}
    </div>
  )
}

function Invitation() {
  const { account, devices, lobby, session } = useStores()
  const { startFrames } = devices
  const status = lobby.status.value
  const open = status !== null && mayChat(status)

  useEffect(
    () => startFrames({ email: account.email.peek(), userSessionId: session.userSessionId.peek() }),
    [startFrames, account, session],
  )

  return (
    <section className={styles.invitation} aria-labelledby="meet-title">
      <h1 id="meet-title" className={styles.title}>
        Meet new people
      </h1>
      <p className={styles.online}>
        <span className={styles.count}>{lobby.onlineUsers}</span> <span>people online now</span>
      </p>
      <CaseNotice />
      <BlockPanel />
      {open && (
        <>
          <StartButton />
          <p className={styles.hint}>People are chatting right now. Say hello to somebody new.</p>
          <PrivacySwitch />
        </>
      )}
    </section>
  )
}

/** Holds the places of what is being loaded, so that nothing moves when it arrives. */
function InvitationSkeleton() {
  return (
    <div className={styles.invitation}>
      <span className={styles.loading}>
        <Spinner label="Loading your dashboard" quiet />
      </span>
      <span className={`${styles.bone} ${styles.boneTitle}`} />
      <span className={`${styles.bone} ${styles.boneCount}`} />
      <span className={`${styles.bone} ${styles.boneButton}`} />
    </div>
  )
}
