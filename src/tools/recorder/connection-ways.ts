import { offersUdp, sampleOf } from '../../call/peer/call-stats.ts'
import { limits } from './findings.ts'
import type { Tally } from './tally.ts'

/** Readings of a connection after which its way is known. */
const READINGS_MAX = 5

/** Follows how each peer connection reaches the other side. */
export function followWays({ relays, blocked }: { relays: Tally; blocked: Tally }) {
  const readings = new WeakMap<RTCPeerConnection, number>()
  const names = new WeakMap<RTCPeerConnection, string>()
  let opened = 0

  return {
    opened(connection: RTCPeerConnection): void {
      opened += 1
      names.set(connection, `PC_${opened}`)
      let since: number | null = null
      connection.addEventListener('icegatheringstatechange', () => {
        if (connection.iceGatheringState === 'gathering') since = performance.now()
      })
      connection.addEventListener('icecandidate', ({ candidate }) => {
        if (since === null || candidate?.type !== 'relay') return
        const ms = performance.now() - since
        since = null
        if (ms > limits['slow-relay'].most) relays.add('relay', ms)
      })
    },
    read(connection: RTCPeerConnection, report: RTCStatsReport): void {
      const count = (readings.get(connection) ?? 0) + 1
      readings.set(connection, count)
      if (count > READINGS_MAX || !sampleOf([...report.values()], 0).isUdpBlocked) return
      if (!offersUdp(connection.getConfiguration())) return
      readings.set(connection, READINGS_MAX)
      blocked.add(names.get(connection) ?? '', 1)
    },
  }
}
