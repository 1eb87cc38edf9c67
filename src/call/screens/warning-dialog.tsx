import { useComputed } from '@preact/signals-react'
import { useNavigate } from 'react-router-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useCall } from '../use-call.ts'

/** Stays until the user acknowledges it, which is possible only after a short wait. */
export function WarningDialog() {
  const { call } = useCall()
  const t = useTexts()
  const navigate = useNavigate()
  const waiting = useComputed(() => call.understoodIn.value > 0).value
  const label = useComputed(() => {
    const seconds = call.understoodIn.value
    return seconds > 0 ? t('call.warning.understood-in', { seconds }) : t('call.warning.understood')
  })
  return (
    <Dialog
      alert
      title={t('call.warning.title')}
      actions={
        <>
          {!waiting && (
            <Button look="quiet" onClick={() => void navigate('/terms-of-service')}>
              {t('call.warning.guidelines')}
            </Button>
          )}
          <Button safe disabled={waiting} onClick={() => call.dispatch({ type: 'understood-pressed' })}>
            <span>{label}</span>
          </Button>
        </>
      }
    >
      <p>{t('call.warning.text')}</p>
      <p>{t('call.warning.again')}</p>
    </Dialog>
  )
}
