import { useVisitor } from '../stores/stores.ts'
import { Button, ExternalButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Offers the Android app; `onContinue` goes on in the browser. */
export function DownloadApp({ onContinue }: { onContinue: () => void }) {
  const { config } = useVisitor()
  return (
    <Dialog
      title="Download Android app"
      onClose={onContinue}
      actions={
        <>
          <Button look="quiet" safe onClick={onContinue}>
            Continue on Web
          </Button>
          <ExternalButton href={config.storeUrl}>Download</ExternalButton>
        </>
      }
    >
      <p>Experience better video calls and enhanced features on our mobile app</p>
    </Dialog>
  )
}
