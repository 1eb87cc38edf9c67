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

/** Asks for camera and microphone, then invites to meet people; somebody whose deletion waits is told so instead. */
export function DashboardPage() {
  const { devices, myData } = useStores()
  const { open, close } = devices
  const { load, forget } = myData
  const t = useTexts()
  useTitle(t('dashboard.title'))
  const granted = devices.stream.value !== null
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
    // A refusal is a state of the store, and the card shows it.
    open().catch(() => {})
  }, [open, close, leaving])

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
