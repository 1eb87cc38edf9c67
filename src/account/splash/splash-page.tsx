import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { PRODUCT_NAME } from '#protocol/constants.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { DownloadApp } from '../../ui/download-app.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { offeredApp } from '../../ui/is-android-browser.ts'
import { Mark } from '../../ui/mark.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useAccount } from '../use-account.ts'
import styles from './splash.module.css'

/** The landing route: shows the logo while start-up chooses the first screen. In the first bundle: keep it small. */
export function SplashPage() {
  const { account } = useAccount()
  const { config } = usePlatform()
  const t = useTexts()
  const navigate = useNavigate()
  const [offered, setOffered] = useState<string | null>(null)
  useTitle()
  /** Ensures one start-up per visit, even if React runs the effect again. */
  const visit = useRef({ begun: false, here: false })

  async function begin(): Promise<void> {
    const to = await account.start()
    if (to && visit.current.here) navigate(`/${to}`, { replace: true })
  }

  useEffect(() => {
    const here = visit.current
    here.here = true
    if (!here.begun) {
      here.begun = true
      const app = offeredApp(config)
      setOffered(app)
      if (app === null) void begin()
    }
    return () => {
      here.here = false
    }
  })

  function continueOnWeb(): void {
    setOffered(null)
    void begin()
  }

  return (
    <main className={styles.splash}>
      <div className={styles.logo}>
        <Mark className={styles.mark} />
        <h1 className={styles.name}>{PRODUCT_NAME}</h1>
      </div>
      <div className={styles.wait}>
        <Spinner label={t('first.loading')} quiet large />
      </div>
      {offered !== null && <DownloadApp storeUrl={offered} onContinue={continueOnWeb} />}
    </main>
  )
}
