import type { Candidate } from '#protocol/hub.ts'
import type { PeerReporter } from './peer-reporter.ts'
import { belowReflexive, hasUserNameFragment } from './sdp.ts'

/** Above what any call needs: bounds the memory that a peer's candidates take. */
const CANDIDATES_MAX = 200

/** Holds candidates whose ICE credentials no remote description has named yet. */
export function createEarlyCandidates(connection: RTCPeerConnection, { reportFault }: PeerReporter) {
  let held: Candidate[] = []
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

    clear(): void {
      held = []
    },
  }
}

function asInit({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: Candidate): RTCIceCandidateInit {
  return {
    candidate: belowReflexive(candidate),
    sdpMid: sdpMid ?? null,
    sdpMLineIndex: sdpMLineIndex ?? null,
    usernameFragment: usernameFragment ?? null,
  }
}
