import { useLayoutEffect, useState } from 'react'
import { useMember } from '../../account/use-account.ts'
import { useDevices } from '../../devices/use-devices.tsx'
import { formatTime } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Footer } from '../../ui/frame/footer.tsx'
import { TopBar } from '../../ui/frame/top-bar.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useLobby } from '../use-lobby.ts'
import { CameraCard } from './camera-card.tsx'
import styles from './dashboard.module.css'
import { Lobby } from './lobby.tsx'
import { BlockPanel, CaseNotice, UnreadStatus } from './standing.tsx'

/**
 * Opens camera and microphone of a user who may chat, and shows the lobby: at once if the browser will not ask for them, else when they are
 * open. Users who may not chat read why; a user whose deletion is pending sees that instead. For neither the camera is opened.
 */
export function DashboardPage() {
  const { devices } = useDevices()
  const { lobby } = useLobby()
  const { myData, ProfilePopup } = useMember()
  const { open, close, state } = devices
  const { enter, leave } = lobby
  const { load, forget } = myData
  const t = useTexts()
  useTitle(t('dashboard.title'))
  const standing = lobby.standing.value
  const leaving = myData.deletion.value !== null
  const mayOpen = myData.known.value && standing === 'open' && !leaving
  const mustClose = leaving || standing === 'barred'

  // Before the next frame, because the lobby waits for it.
  useLayoutEffect(() => {
    void load()
    return forget
  }, [load, forget])

  useLayoutEffect(() => {
    if (leaving) return
    void enter()
    return leave
  }, [enter, leave, leaving])

  useLayoutEffect(() => {
    if (mustClose) close()
    // The rejection is handled by the store, whose state the card shows. A device that the user refused in a call is
    // requested again at the next start.
    else if (mayOpen && state.peek() !== 'granted') open().catch(() => {})
  }, [open, close, state, mayOpen, mustClose])

  return (
    <>
      <TopBar>
        <ProfilePopup />
      </TopBar>
      <main className={styles.page}>{leaving ? <DeletionPanel /> : <Dashboard />}</main>
      <Footer />
    </>
  )
}

/** Shows the user's status. Below it a user who may chat sees the camera card or the lobby. */
function Dashboard() {
  const { devices } = useDevices()
  const { lobby } = useLobby()
  const { myData } = useMember()
  const granted = devices.mayOpen.value
  const known = myData.known.value
  const standing = lobby.standing.value
  const isShown = standing === 'open' || standing === 'barred'
  const hasLobby = granted && known && (standing === 'unread' ? devices.stream.value !== null : standing !== 'barred')
  const hasCard = standing === 'open' && !granted
  return (
    <>
      {isShown && <Status alone={standing === 'barred'} />}
      {standing === 'unread' && (
        <div className={styles.standing} data-alone={!hasLobby || undefined}>
          <UnreadStatus />
        </div>
      )}
      {/* The lobby is rendered in a single place, so that its picture stays when the status changes. */}
      {hasLobby && <Lobby />}
      {hasCard && <CameraCard />}
      {(standing === 'unknown' || standing === 'open') && !hasLobby && !hasCard && <Waiting />}
    </>
  )
}

function Status({ alone }: { alone: boolean }) {
  const { lobby } = useLobby()
  if (lobby.status.value === 'Valid' && !lobby.notice.value) return null
  return (
    <div className={styles.standing} data-alone={alone || undefined}>
      <CaseNotice />
      <BlockPanel />
    </div>
  )
}

function Waiting() {
  const t = useTexts()
  return (
    <div className={styles.waiting}>
      <Spinner label={t('dashboard.loading')} />
    </div>
  )
}

/** Shown instead of the dashboard while a deletion is pending: what is deleted, when, and how to cancel it. */
function DeletionPanel() {
  const { myData } = useMember()
  const { texts } = usePlatform()
  const t = useTexts()
  const [failed, setFailed] = useState(false)
  const deletion = myData.deletion.value
  const busy = myData.changing.value
  if (!deletion) return null

  async function keep(): Promise<void> {
    setFailed(false)
    setFailed(!(await myData.keep()))
  }

  const day = (at: number) => formatTime(texts.language.value, at)
  const requestedAt = day(deletion.requestedAt)
  return (
    <section className={styles.deletion} aria-labelledby="deletion-title">
      <h1 id="deletion-title" className={styles.deletionTitle}>
        {t('my-data.going')}
      </h1>
      {deletion.state === 'held' ? (
        <>
          <p>{t('my-data.held', { asked: requestedAt })}</p>
          <p>{t('my-data.held.next')}</p>
        </>
      ) : (
        <>
          <p>{t('my-data.going.until', { asked: requestedAt, due: day(deletion.dueAt) })}</p>
          <p>{t('my-data.going.mind', { start: day(deletion.startAt) })}</p>
          <Button disabled={busy} onClick={() => void keep()}>
            {t(busy ? 'my-data.keeping' : 'my-data.keep')}
          </Button>
          <p role="alert" className={styles.failed} hidden={!failed}>
            {failed && t('my-data.keep.failed')}
          </p>
        </>
      )}
    </section>
  )
}
