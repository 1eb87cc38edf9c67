import { type PeerStatus, parsePeerStatus } from '#protocol/peer.ts'
import type { PeerReporter } from './peer-reporter.ts'

/** Both sides open the same channel by its id, so that nothing is negotiated for it after the first description. */
const CHANNEL: RTCDataChannelInit = { negotiated: true, id: 0 }

/** The data channel over which both sides say what they send and accept. Must be opened before the first description is made. */
export function openStatusChannel(connection: RTCPeerConnection, { report, reportFault }: PeerReporter) {
  const channel = connection.createDataChannel('status', CHANNEL)
  let latest: PeerStatus | null = null
  let hasFault = false

  function send(): void {
    if (latest && channel.readyState === 'open') channel.send(JSON.stringify(latest))
  }

  channel.onopen = send
  channel.onmessage = ({ data }) => {
    try {
      report({ type: 'peer-status', status: parsePeerStatus(data) })
    } catch (thrown) {
      // Once: a hostile peer may send any number.
      if (!hasFault) reportFault("The peer's status", thrown)
      hasFault = true
    }
  }

  return {
    /** Sends it now, or when the channel opens. */
    tell(status: PeerStatus): void {
      latest = status
      send()
    },
    close(): void {
      channel.onopen = null
      channel.onmessage = null
    },
  }
}
