import type { Candidate } from '#protocol/hub.ts'
import type { PeerReporter } from './peer-reporter.ts'
import { hasUserNameFragment } from './sdp.ts'

/** Above what any call needs: bounds the memory that a peer's candidates take. */
const CANDIDATES_MAX = 200

/** Holds candidates whose ICE credentials no remote description has named yet. */
export function createEarlyCandidates(connection: RTCPeerConnection, { reportFault }: PeerReporter) {
  let held: Candidate[] = []
  let restarts = 0

  return {
    /** The oldest is dropped where there are too many. */
    add(candidate: Candidate): void {
      if (held.length >= CANDIDATES_MAX) held.shift()
      held.push(candidate)
    },

    /** Adds those that belong to the current remote description. Never rejects: a failure is reported. */
    async apply(): Promise<void> {
      const sdp = connection.remoteDescription?.sdp
      if (sdp === undefined) return
      const fits = ({ usernameFragment }: Candidate) => !usernameFragment || hasUserNameFragment(sdp, usernameFragment)
      const ready = held.filter(fits)
      held = held.filter((candidate) => !fits(candidate))
      await Promise.all(
        ready.map((candidate) =>
          connection.addIceCandidate(asInit(candidate)).catch((thrown: unknown) => reportFault('A candidate', thrown)),
        ),
      )
    },

    /**
     * Call before an ICE restart is offered to Firefox. libwebrtc pairs its new ports with the peer's known addresses and stays with such
     * a pair once it responds. Firefox responds there until its new session is connected, but drops the media. A candidate with an
     * unknown user name fragment counts as one of the next session and makes libwebrtc forget the known ones; an active TCP candidate
     * is never connected to. Never rejects.
     */
    async forgetKnown(): Promise<void> {
      restarts += 1
      const candidate = `candidate:0 1 TCP 1 127.0.0.1 9 typ host tcptype active generation 0 ufrag next${restarts}`
      await connection
        .addIceCandidate({ candidate, sdpMLineIndex: 0 })
        .catch((thrown: unknown) => reportFault('Forgetting candidates', thrown))
    },

    clear(): void {
      held = []
    },
  }
}

function asInit({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: Candidate): RTCIceCandidateInit {
  return {
    candidate,
    sdpMid: sdpMid ?? null,
    sdpMLineIndex: sdpMLineIndex ?? null,
    usernameFragment: usernameFragment ?? null,
  }
}
