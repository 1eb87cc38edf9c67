import { useComputed } from '@preact/signals-react'
import { useStores } from '../stores/stores.ts'

/** The peer's nickname, or a placeholder until it has arrived. */
export function PeerName() {
  const { call, texts } = useStores()
  const name = useComputed(() => call.peerNickName.value || texts.t('notices.unnamed-peer'))
  return <>{name}</>
}
