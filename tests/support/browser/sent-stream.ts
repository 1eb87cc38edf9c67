import { onTestFinished } from 'vitest'

/** Sends the stream over a pair of peer connections until the test is over; returns what arrives. */
export async function sent(local: MediaStream): Promise<MediaStream> {
  const [from, to] = [new RTCPeerConnection(), new RTCPeerConnection()]
  onTestFinished(() => [from, to].forEach((connection) => void connection.close()))
  const arrived = new Promise<MediaStream>((resolve) => {
    to.ontrack = ({ streams: [stream] }) => stream && resolve(stream)
  })
  from.onicecandidate = ({ candidate }) => candidate && void to.addIceCandidate(candidate)
  to.onicecandidate = ({ candidate }) => candidate && void from.addIceCandidate(candidate)
  for (const track of local.getTracks()) from.addTrack(track, local)
  await from.setLocalDescription()
  if (from.localDescription) await to.setRemoteDescription(from.localDescription)
  await to.setLocalDescription()
  if (to.localDescription) await from.setRemoteDescription(to.localDescription)
  return arrived
}
