import { useLayoutEffect } from 'react'
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

/**
 * Opens camera and microphone, and shows the lobby: at once if the browser will not ask for them, else when they are open. While a
 * deletion is pending, shows that instead, and opens neither.
 */
export function DashboardPage() {
  const { devices, myData } = useStores()
  const { open, close } = devices
  const { load, forget } = myData
  const t = useTexts()
  useTitle(t('dashboard.title'))
  const mayOpen = devices.mayOpen.value
  const known = myData.known.value
  const leaving = myData.deletion.value !== null

  // Not after the next frame: the lobby waits for it.
  useLayoutEffect(() => {
    void load()
    return forget
  }, [load, forget])

  useLayoutEffect(() => {
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
      <main className={styles.page}>
        {leaving ? <DeletionPanel /> : !mayOpen ? <CameraCard /> : known && <Lobby />}
      </main>
      <Footer />
    </>
  )
}
