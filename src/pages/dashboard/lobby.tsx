import { useComputed } from '@preact/signals-react'
import { useEffect } from 'react'
import { mayChat } from '#protocol/block-status.ts'
import { AppOffer } from '../../parts/app-offer.tsx'
import { Spinner } from '../../parts/spinner.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import { formatNumber } from '../../texts/formats.ts'
import { BlockPanel } from './block-panel.tsx'
import { CameraPreview } from './camera-preview.tsx'
import { CaseNotice } from './case-notice.tsx'
import styles from './dashboard.module.css'
import { DataSaverSwitch } from './data-saver-switch.tsx'
import { FaceRow } from './face-row.tsx'
import { PrivacySwitch } from './privacy-switch.tsx'
import { StartButton } from './start-button.tsx'

/** The dashboard when the camera is open. */
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
  const { account, devices, lobby, visit } = useStores()
  const t = useTexts()
  const { startFrames } = devices
  const status = lobby.status.value
  const open = status !== null && mayChat(status)

  useEffect(
    () => startFrames({ email: account.email.peek(), userSessionId: visit.userSessionId.peek() }),
    [startFrames, account, visit],
  )

  return (
    <section className={styles.invitation} aria-labelledby="meet-title">
      <h1 id="meet-title" className={styles.title}>
        {t('dashboard.meet')}
      </h1>
      <OnlineCount />
      <CaseNotice />
      <BlockPanel />
      {open && (
        <>
          <StartButton />
          <div className={styles.company}>
            <FaceRow />
            <p className={styles.hint}>{t('dashboard.hint')}</p>
          </div>
          <PrivacySwitch />
          <DataSaverSwitch />
          <AppOffer />
        </>
      )}
    </section>
  )
}

/** Both texts are signals, so that a new count renders nothing else. */
function OnlineCount() {
  const { lobby, texts } = useStores()
  const count = useComputed(() => formatNumber(texts.language.value, lobby.onlineUsers.value))
  const label = useComputed(() => texts.t('dashboard.online', { count: lobby.onlineUsers.value }))
  return (
    <p className={styles.online}>
      <span className={styles.count}>{count}</span> <span>{label}</span>
    </p>
  )
}

/** Reserves the space of what is being loaded, so that nothing moves when it arrives. */
function InvitationSkeleton() {
  const t = useTexts()
  return (
    <div className={styles.invitation}>
      <div className={styles.title}>
        <span className={styles.bone} />
      </div>
      <div className={styles.count}>
        <span className={styles.bone} />
      </div>
      <div className={styles.boneButton}>
        <span className={styles.bone} />
        <span className={styles.loading}>
          <Spinner label={t('dashboard.loading')} quiet />
        </span>
      </div>
    </div>
  )
}
