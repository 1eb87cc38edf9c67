import { useComputed } from '@preact/signals-react'
import { useEffect } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../call/use-call.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { formatNumber } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { AppOffer } from '../../ui/members/app-offer.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useLobby } from '../use-lobby.ts'
import { WhoIMeet } from '../who-i-meet/who-i-meet.tsx'
import { CameraPreview } from './camera-preview.tsx'
import styles from './dashboard.module.css'
import { DataSaverSwitch } from './data-saver-switch.tsx'
import { FaceRow } from './face-row.tsx'
import { RelayOnlySwitch } from './relay-only-switch.tsx'
import { StartButton } from './start-button.tsx'

/** The dashboard when the camera is open. If the status could not be read, it has no Start button. */
export function Lobby() {
  const { lobby } = useLobby()
  const { relayOnly } = useCall()
  const { restore } = relayOnly
  const standing = lobby.standing.value
  const isReady = standing === 'open' && relayOnly.known.value

  useEffect(() => void restore(), [restore])

  return (
    <div className={styles.lobby} data-ready={isReady || undefined}>
      <CameraPreview />
      {isReady ? <Invitation /> : standing !== 'unread' && <InvitationSkeleton />}
      <div className={styles.who}>
        <WhoIMeet />
      </div>
    </div>
  )
}

/** Shown to users who may chat. Camera pictures are sent while it is shown. */
function Invitation() {
  const { account } = useAccount()
  const { devices } = useDevices()
  const { lobby } = useLobby()
  const { visit } = usePlatform()
  const t = useTexts()
  const { startFrames } = devices
  const { tellOnline } = lobby

  useEffect(
    () => startFrames({ email: account.email.peek(), userSessionId: visit.userSessionId.peek() }, tellOnline),
    [startFrames, tellOnline, account, visit],
  )

  return (
    <section className={styles.invitation} aria-labelledby="meet-title">
      <h1 id="meet-title" className={styles.title}>
        {t('dashboard.meet')}
      </h1>
      <OnlineCount />
      <StartButton />
      <Company />
      <RelayOnlySwitch />
      <DataSaverSwitch />
      <AppOffer />
    </section>
  )
}

/** Says whether people are chatting. An older server sends only the number of online users, with this user. */
function Company() {
  const { lobby } = useLobby()
  const { texts } = usePlatform()
  const hint = useComputed(() => {
    const count = lobby.onlineUsers.value
    // A non-breaking space, which keeps the height of the line.
    if (count === null) return '\u00a0'
    const talking = lobby.talkingUsers.value ?? count - 1
    return texts.t(talking > 0 ? 'dashboard.hint' : 'dashboard.hint.first')
  })
  return (
    <div className={styles.company}>
      <FaceRow />
      <p className={styles.hint}>{hint}</p>
    </div>
  )
}

function OnlineCount() {
  const { lobby } = useLobby()
  const { watchOnline } = lobby
  const t = useTexts()

  useEffect(() => watchOnline(), [watchOnline])

  if (lobby.onlineKnown.value) return <KnownCount />
  if (lobby.onlineUnread.value) {
    return (
      <p role="status" className={styles.online}>
        {t('dashboard.online.unread')}
      </p>
    )
  }
  return (
    <div className={styles.count}>
      <span className={styles.bone} />
    </div>
  )
}

/** Shows the count. The texts are signals, so that a new count renders nothing else. */
function KnownCount() {
  const { lobby } = useLobby()
  const { texts } = usePlatform()
  const count = useComputed(() => formatNumber(texts.language.value, lobby.onlineUsers.value ?? 0))
  const label = useComputed(() => texts.t('dashboard.online', { count: lobby.onlineUsers.value ?? 0 }))
  const talking = useComputed(() => {
    const users = lobby.talkingUsers.value
    return users === null ? '' : texts.t('dashboard.talking', { count: formatNumber(texts.language.value, users) })
  })
  return (
    <p className={styles.online}>
      <span className={styles.count}>{count}</span> <span>{label}</span> <span>{talking}</span>
    </p>
  )
}

/** Reserves the space of what is being loaded, so that nothing moves when it is there. */
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
