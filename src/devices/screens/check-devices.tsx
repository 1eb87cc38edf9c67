import { type ComponentType, useState } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import type { ConnectionCheck } from '../state/connection-check.ts'
import { useDevices } from '../use-devices.tsx'

type Check = { Dialog: ComponentType<{ check: ConnectionCheck; onClose: () => void }>; check: ConnectionCheck }

/** The button that opens the check of devices and network, which is loaded with its texts when it is first needed. */
export function CheckDevices() {
  const { loadCheck } = useDevices()
  const { texts } = usePlatform()
  const t = useTexts()
  const [shown, setShown] = useState<Check | null>(null)
  const [failed, setFailed] = useState(false)

  async function open(): Promise<void> {
    setFailed(false)
    const loading = Promise.all([import('./device-check.tsx'), loadCheck(), texts.need('check')])
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
