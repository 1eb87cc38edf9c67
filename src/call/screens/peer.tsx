import { useComputed } from '@preact/signals-react'
import { memo } from 'react'
import { usePlatform } from '../../platform/use-platform.ts'
import { Avatar } from '../../ui/members/avatar.tsx'
import { useCall } from '../use-call.ts'
import { sharedText } from './shared-text.ts'

/** The peer's nickname, or a general word until the nickname has arrived. */
export function PeerName() {
  const { call } = useCall()
  const { texts } = usePlatform()
  const name = useComputed(() => call.peerNickName.value || texts.t('toasts.unnamed-peer'))
  return <>{name}</>
}

export function PeerAvatar({ className }: { className?: string | undefined }) {
  const { peerAvatar } = useCall()
  return <Avatar src={peerAvatar.url.value} alt="" className={className} />
}

/** Says what the two users share; absent if nothing. Memoised, so that chat messages do not render it again. */
export const SharedNote = memo(function SharedNote({ className }: { className?: string | undefined }) {
  const { call } = useCall()
  const { texts } = usePlatform()
  const text = useComputed(() => {
    const shared = call.shared.value
    return shared === null ? '' : sharedText(texts.t, texts.language.value, shared)
  })
  return text.value === '' ? null : <p className={className}>{text}</p>
})
