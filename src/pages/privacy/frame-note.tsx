import { useOperator } from '../../parts/use-operator.ts'
import { useTexts } from '../../parts/use-texts.ts'

/** Whether dashboard pictures are classified is the operator's setting, which a prerendered page does not have. */
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
