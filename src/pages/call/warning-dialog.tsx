import { useComputed } from '@preact/signals-react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useStores } from '../../stores/stores.ts'

/** Stays until it is acknowledged, which a moment's wait comes before. */
export function WarningDialog() {
  const { call } = useStores()
  const navigate = useNavigate()
  const waiting = useComputed(() => call.understoodIn.value > 0).value
  const left = useComputed(() => (call.understoodIn.value > 0 ? ` (${call.understoodIn.value})` : ''))
  return (
    <Dialog
      alert
      title="Warning: You Have Been Reported"
      actions={
        <>
          {!waiting && (
            <Button look="quiet" onClick={() => void navigate('/terms-of-service')}>
              View Guidelines
            </Button>
          )}
          <Button safe disabled={waiting} onClick={() => call.dispatch({ type: 'understood-pressed' })}>
            <span>Understood{left}</span>
          </Button>
        </>
      }
    >
      <p>Another user has reported your behavior. Please be respectful and follow the community guidelines.</p>
      <p>If you are reported again, your account may be permanently blocked.</p>
    </Dialog>
  )
}
