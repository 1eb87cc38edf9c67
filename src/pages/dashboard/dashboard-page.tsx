import { useEffect } from 'react'
import { Footer } from '../../parts/footer.tsx'
import { TopBar } from '../../parts/top-bar.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useStores } from '../../stores/stores.ts'
import { CameraCard } from './camera-card.tsx'
import styles from './dashboard.module.css'
import { Lobby } from './lobby.tsx'

/** Asks for camera and microphone, then invites to meet people. */
export function DashboardPage() {
  const { devices } = useStores()
  const { open } = devices
  const t = useTexts()
  useTitle(t('dashboard.title'))
  const granted = devices.stream.value !== null

  useEffect(() => {
    // A refusal is a state of the store, and the card shows it.
    open().catch(() => {})
  }, [open])

  return (
    <>
      <TopBar form="signed-in" />
      <main className={styles.page}>{granted ? <Lobby /> : <CameraCard />}</main>
      <Footer />
    </>
  )
}
