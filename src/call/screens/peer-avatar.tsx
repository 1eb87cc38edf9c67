import { Avatar } from '../../ui/members/avatar.tsx'
import { useCall } from '../use-call.ts'

/** The peer's profile picture, beside the peer's name. */
export function PeerAvatar({ className }: { className?: string | undefined }) {
  const { peerAvatar } = useCall()
  return <Avatar src={peerAvatar.url.value} alt="" className={className} />
}
