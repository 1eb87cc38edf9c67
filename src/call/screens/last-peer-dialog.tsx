import { useTexts } from '../../platform/use-texts.ts'
import { useCall } from '../use-call.ts'
import { ReportDialog } from './report-dialog.tsx'

/** Reports the peer of a call that is over; stays open where the next call begins meanwhile. */
export function LastPeerDialog() {
  const { lastPeer } = useCall()
  const t = useTexts()
  const match = lastPeer.match.value
  if (!match || !lastPeer.isOpen.value) return null
  return (
    <ReportDialog
      open
      peer={match.peer?.nickName || t('toasts.unnamed-peer')}
      isOver
      seen={null}
      onReport={lastPeer.report}
      onDrop={lastPeer.close}
    />
  )
}
