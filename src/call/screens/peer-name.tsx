import { useComputed } from '@preact/signals-react'
import { usePlatform } from '../../platform/use-platform.ts'
import { useCall } from '../use-call.ts'

/** The peer's nickname, or a placeholder until it has arrived. */
export function PeerName() {
  const { call } = useCall()
  const { texts } = usePlatform()
  const name = useComputed(() => call.peerNickName.value || texts.t('toasts.unnamed-peer'))
  return <>{name}</>
}
