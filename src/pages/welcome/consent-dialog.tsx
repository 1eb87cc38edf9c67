import { Link } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PRIVACY } from '../../parts/links.ts'
import { useVisitor } from '../../stores/stores.ts'

/** The community guidelines and the consent to them; nothing is sent before Accept. */
export function ConsentDialog({ onAccept, onBack }: { onAccept: () => void; onBack: () => void }) {
  const { account } = useVisitor()
  const saving = account.savingProfile.value
  return (
    <Dialog
      title="Stay safe and have fun!"
      onClose={saving ? undefined : onBack}
      actions={
        <>
          <Button look="quiet" safe disabled={saving} onClick={onBack}>
            Back
          </Button>
          <Button disabled={saving} onClick={onAccept}>
            {saving ? 'Creating profile...' : 'Accept'}
          </Button>
        </>
      }
    >
      <p>
        You will be connected randomly and anonymously with strangers, and you may be shown inappropriate content. Do
        not share personal information.
      </p>
      <p>We use cookies that keep you signed in. Cookies for ads and analytics are set only if you allow them.</p>
      <p>
        By clicking Accept you confirm that you are 18 or older, that you understand the risks, and that you agree to
        our{' '}
        <Link to={PRIVACY.to} target="_blank">
          privacy policy
        </Link>
        .
      </p>
    </Dialog>
  )
}
