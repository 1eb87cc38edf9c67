import { type ComponentType, useState } from 'react'
import type { ConnectionCheck } from '../stores/connection-check.ts'
import { useStores } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { useTexts } from './use-texts.ts'

type Check = { Dialog: ComponentType<{ check: ConnectionCheck; onClose: () => void }>; check: ConnectionCheck }

/** The button that opens the check of devices and network, which is loaded with its texts when it is first needed. */
export function CheckDevices() {
  const { loadCheck, texts } = useStores()
  const t = useTexts()
  const [shown, setShown] = useState<Check | null>(null)
  const [failed, setFailed] = useState(false)

  async function open(): Promise<void> {
    setFailed(false)
    const loading = Promise.all([import('./device-check/device-check.tsx'), loadCheck(), texts.need('check')])
    await loading.then(
      ([{ DeviceCheck }, check]) => setShown({ Dialog: DeviceCheck, check }),
      () => setFailed(true),
    )
  }

  return (
    <>
      <Button look="quiet" wide aria-haspopup="dialog" onClick={() => void open()}>
        {t('devices.check')}
      </Button>
      <p role="status" hidden={!failed}>
        {failed && t('devices.check.failed')}
      </p>
      {shown && <shown.Dialog check={shown.check} onClose={() => setShown(null)} />}
    </>
  )
}
