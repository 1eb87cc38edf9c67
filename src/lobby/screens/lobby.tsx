import { useComputed } from '@preact/signals-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../call/use-call.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { ABOVE_DASHBOARD } from '../../platform/rules/history-entry.ts'
import { formatNumber } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { allFaces, drawFaces, faceUrl } from '../../ui/faces.ts'
import { AppOffer } from '../../ui/members/app-offer.tsx'
import { Switch } from '../../ui/members/switch.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useLobby } from '../use-lobby.ts'
import { WhoIMeet } from '../who-i-meet/who-i-meet.tsx'
import { CameraPreview } from './camera-preview.tsx'
import styles from './dashboard.module.css'

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

function StartButton() {
  const t = useTexts()
  const navigate = useNavigate()
  return (
    <Button className={styles.start} onClick={() => void navigate('/buzzing', { state: ABOVE_DASHBOARD })}>
      {t('dashboard.start')}
    </Button>
  )
}

/** Says whether people are chatting, once that is known. An older server counts only the users who are online, this user included. */
function Company() {
  const { lobby } = useLobby()
  const { texts } = usePlatform()
  const hint = useComputed(() => {
    const count = lobby.onlineUsers.value
    // A space, so that the line keeps its height.
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

/** Decoration: a row of drawn faces, chosen at random. Empty with the data saver. */
function FaceRow() {
  const { pictureChoice } = usePlatform()
  const [names] = useState(() => drawFaces(allFaces, 4))
  if (pictureChoice.isSaver.value) return null
  return (
    <span className={styles.faces} aria-hidden="true">
      {names.map((name) => (
        <img key={name} src={faceUrl(name, 64)} alt="" width="64" height="64" />
      ))}
    </span>
  )
}

/** Switches relay-only calls on or off. They hide the user's network address from peers. */
function RelayOnlySwitch() {
  const { relayOnly } = useCall()
  const t = useTexts()
  return (
    <Switch
      label={t('dashboard.hide-address')}
      why={t(relayOnly.unread.value ? 'dashboard.hide-address.unread' : 'dashboard.hide-address.why')}
      on={relayOnly.on}
      choose={relayOnly.choose}
    />
  )
}

/** Switches the data saver on or off. It is also on if the user chose sound only in the device menu. */
function DataSaverSwitch() {
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  return (
    <Switch
      label={t('dashboard.data-saver')}
      why={t('dashboard.data-saver.why')}
      on={pictureChoice.isSaver}
      choose={(on) => pictureChoice.choose(on ? 'saver' : 'best')}
    />
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
