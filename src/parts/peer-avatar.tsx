import { useStores } from '../stores/stores.ts'
import { Avatar } from './avatar.tsx'

/** The peer's profile picture, beside the peer's name. */
export function PeerAvatar({ className }: { className?: string | undefined }) {
  const { peerAvatar } = useStores()
  return <Avatar src={peerAvatar.url.value} alt="" className={className} />
}
