import { useTexts } from '../platform/use-texts.ts'
import { Button, ExternalButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Offers the Android app. `onContinue` is called if the user stays in the browser. */
export function DownloadApp({ storeUrl, onContinue }: { storeUrl: string; onContinue: () => void }) {
  const t = useTexts()
  return (
    <Dialog
      title={t('first.app.title')}
      onClose={onContinue}
      actions={
        <>
          <Button variant="quiet" safe onClick={onContinue}>
            {t('first.app.continue')}
          </Button>
          <ExternalButton href={storeUrl}>{t('first.app.download')}</ExternalButton>
        </>
      }
    >
      <p>{t('first.app.text')}</p>
    </Dialog>
  )
}
