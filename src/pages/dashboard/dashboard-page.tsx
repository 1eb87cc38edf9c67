import { useEffect } from 'react'
import { Footer } from '../../parts/footer.tsx'
import { ProfilePopup } from '../../parts/profile-popup.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useStores } from '../../stores/stores.ts'
import { CameraCard } from './camera-card.tsx'
import styles from './dashboard.module.css'
import { DeletionPanel } from './deletion-panel.tsx'
import { Lobby } from './lobby.tsx'

/** Opens camera and microphone, then shows the lobby; while a deletion is pending it shows that instead, and opens neither. */
export function DashboardPage() {
  const { devices, myData } = useStores()
  const { open, close } = devices
  const { load, forget } = myData
  const t = useTexts()
  useTitle(t('dashboard.title'))
  const granted = devices.stream.value !== null
  const known = myData.known.value
  const leaving = myData.deletion.value !== null

  useEffect(() => {
    void load()
    return forget
  }, [load, forget])

  useEffect(() => {
    if (leaving) {
      close()
      return
    }
    if (!known) return
    // A rejection is a state of the store, which the card shows.
    open().catch(() => {})
  }, [open, close, known, leaving])

  return (
    <>
      <TopBar>
        <ProfilePopup />
      </TopBar>
      <main className={styles.page}>{leaving ? <DeletionPanel /> : granted ? <Lobby /> : <CameraCard />}</main>
      <Footer />
    </>
  )
}
