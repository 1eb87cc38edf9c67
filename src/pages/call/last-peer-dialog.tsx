import { useTexts } from '../../parts/use-texts.ts'
import { useStores } from '../../stores/stores.ts'
import { ReportDialog } from './report-dialog.tsx'

/** Reports the peer of a call that is over; stays open where the next call begins meanwhile. */
export function LastPeerDialog() {
  const { lastPeer } = useStores()
  const t = useTexts()
  const match = lastPeer.match.value
  if (!match || !lastPeer.isOpen.value) return null
  return (
    <ReportDialog
      open
      peer={match.peer?.nickName || t('notices.unnamed-peer')}
      isOver
      seen={null}
      onReport={lastPeer.report}
      onDrop={lastPeer.close}
    />
  )
}
