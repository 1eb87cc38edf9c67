import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useCall } from '../use-call.ts'
import styles from './call-back-button.module.css'

/** Switches the notification of a match on and off, where the browser has notifications. */
export function CallBackButton() {
  const { callBack } = useCall()
  const t = useTexts()
  const choice = callBack.choice.value
  if (choice === 'unavailable') return null
  const isOn = choice === 'on'
  return (
    <Button look="quiet" aria-pressed={isOn} className={styles.button} onClick={() => void callBack.press()}>
      {isOn && <span aria-hidden="true">✓</span>}
      {t('matching.call-back')}
    </Button>
  )
}
