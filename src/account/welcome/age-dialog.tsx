import { formatDay } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ageOn, type Day, isoDay } from '../rules/age.ts'
import { useAccount } from '../use-account.ts'

type AgeDialogProps = {
  birth: Day
  today: Day
  onRight: () => void
  onCorrect: () => void
}

/** Asks once whether the date of birth of a minor is right, without a word of what follows: it would tell which other date to choose. */
export function AgeDialog({ birth, today, onRight, onCorrect }: AgeDialogProps) {
  const { account } = useAccount()
  const { texts } = usePlatform()
  const t = useTexts()
  const saving = account.savingProfile.value
  return (
    <Dialog
      title={t('welcome.age.title')}
      onClose={saving ? undefined : onCorrect}
      actions={
        <>
          <Button look="quiet" safe disabled={saving} onClick={onCorrect}>
            {t('welcome.consent.correct-birth')}
          </Button>
          <Button disabled={saving} onClick={onRight}>
            {t(saving ? 'welcome.age.saving' : 'welcome.age.right')}
          </Button>
        </>
      }
    >
      <p>
        {t('welcome.age.text', {
          day: formatDay(texts.language.value, isoDay(birth)),
          age: String(ageOn(birth, today)),
        })}
      </p>
    </Dialog>
  )
}
