import { useSignal } from '@preact/signals-react'
import { Button } from './button.tsx'
import { DownloadApp } from './download-app.tsx'
import { isAndroidBrowser } from './is-android-browser.ts'
import { useTexts } from './use-texts.ts'

/** A link to the Android app, shown in browsers on Android. */
export function AppOffer() {
  const t = useTexts()
  const shown = useSignal(false)
  if (!isAndroidBrowser()) return null
  return (
    <>
      <Button look="quiet" onClick={() => (shown.value = true)}>
        {t('first.app.title')}
      </Button>
      {shown.value && <DownloadApp onContinue={() => (shown.value = false)} />}
    </>
  )
}
