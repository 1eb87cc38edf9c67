import { useSignal } from '@preact/signals-react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../button.tsx'
import { DownloadApp } from '../download-app.tsx'
import { offeredApp } from '../is-android-browser.ts'

/** A link to the operator's Android app, shown in browsers on Android. */
export function AppOffer() {
  const { config } = usePlatform()
  const t = useTexts()
  const shown = useSignal(false)
  const storeUrl = offeredApp(config)
  if (storeUrl === null) return null
  return (
    <>
      <Button variant="quiet" onClick={() => (shown.value = true)}>
        {t('first.app.title')}
      </Button>
      {shown.value && <DownloadApp storeUrl={storeUrl} onContinue={() => (shown.value = false)} />}
    </>
  )
}
