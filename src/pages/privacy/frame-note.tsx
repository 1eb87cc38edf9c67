import { useOperator } from '../../parts/use-operator.ts'
import { useTexts } from '../../parts/use-texts.ts'

/** What happens to a picture of the dashboard is the operator's choice, which a prerendered page does not know yet. */
export function FrameNote() {
  const operator = useOperator()
  const t = useTexts()
  const examined = operator ? (operator.frameClassifier ? 'on' : 'off') : 'unknown'
  return (
    <p>
      {t('privacy.frames.sent')} {t(`privacy.frames.${examined}`)} {t('privacy.frames.kept')}
    </p>
  )
}
