import { useComputed } from '@preact/signals-react'
import { useStores } from '../stores/stores.ts'

/** What the peer is called, or the word for somebody whose name has not arrived. */
export function PeerName() {
  const { call, texts } = useStores()
  const name = useComputed(() => call.peerNickName.value || texts.t('notices.unnamed-peer'))
  return <>{name}</>
}
