import { Link } from 'react-router-dom'
import { formatDay } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PRIVACY } from '../../ui/links.ts'
import { Rich } from '../../ui/rich.tsx'
import { type Day, isoDay } from '../rules/age.ts'
import { useAccount } from '../use-account.ts'
import styles from './welcome.module.css'

type ConsentDialogProps = {
  /** A proposed date of birth that the user has not touched; it is asked for once more. */
  unchosenBirth: Day | null
  onAccept: () => void
  onBack: () => void
  onCorrectBirth: () => void
}

/** Asks for consent to the community guidelines; nothing is sent before Accept. */
export function ConsentDialog({ unchosenBirth, onAccept, onBack, onCorrectBirth }: ConsentDialogProps) {
  const { account } = useAccount()
  const { texts } = usePlatform()
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
      {unchosenBirth && (
        <div className={styles.birthQuestion}>
          <p>{t('welcome.consent.birth', { day: formatDay(texts.language.value, isoDay(unchosenBirth)) })}</p>
          <Button look="plain" disabled={saving} onClick={onCorrectBirth}>
            {t('welcome.consent.correct-birth')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
