import { Link } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PRIVACY } from '../../parts/links.ts'
import { Rich } from '../../parts/rich.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import { useVisitor } from '../../stores/stores.ts'

/** Asks for consent to the community guidelines; nothing is sent before Accept. */
export function ConsentDialog({ onAccept, onBack }: { onAccept: () => void; onBack: () => void }) {
  const { account } = useVisitor()
  const t = useTexts()
  const saving = account.savingProfile.value
  return (
    <Dialog
      title={t('welcome.consent.title')}
      onClose={saving ? undefined : onBack}
      actions={
        <>
          <Button look="quiet" safe disabled={saving} onClick={onBack}>
            {t('welcome.consent.back')}
          </Button>
          <Button disabled={saving} onClick={onAccept}>
            {t(saving ? 'welcome.consent.saving' : 'welcome.consent.accept')}
          </Button>
        </>
      }
    >
      <p>{t('welcome.consent.risk')}</p>
      <p>{t('welcome.consent.cookies')}</p>
      <p>
        <Rich
          text={t('welcome.consent.agreement')}
          tags={{
            privacy: (words) => (
              <Link to={PRIVACY.to} target="_blank">
                {words}
              </Link>
            ),
          }}
        />
      </p>
    </Dialog>
  )
}
