import { LOOPBACK_PEERS, startCoturnProcess } from './coturn-process.ts'
import { followPhases } from './follow-phases.ts'
import { startImpairedLink } from './impaired-link.ts'
import type { Link, Network } from './links.ts'
import { linkClock } from './pipe.ts'

/**
 * Starts coturn behind `network`, whose phases are repeated until `stop`. `random` returns numbers from 0 to 1. Calls `onChange` when a
 * later phase begins.
 */
export async function startImpairedRelay(network: Network, random: () => number, onChange: (link: Link) => void) {
  const [first] = network.phases
  if (!first) throw new Error(`The network "${network.name}" has no phase`)
  const coturn = await startCoturnProcess(LOOPBACK_PEERS)
  const link = await startImpairedLink(coturn.port, first.link, random)
  const unfollow = followPhases(
    network,
    (next) => {
      link.change(next)
      onChange(next)
    },
    linkClock,
  )
  return {
    /** Environment variables with which the product's server sends calls over this relay. */
    env: { TURN_URL: `turn:127.0.0.1:${link.port}?transport=udp`, TURN_SECRET: coturn.secret },
    /** May be called more than once. */
    async stop(): Promise<void> {
      unfollow()
      await link.close()
      await coturn.stop()
    },
  }
}
