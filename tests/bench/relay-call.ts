import { LOOPBACK_PEERS } from '../../scripts/links/coturn-process.ts'
import { pathOf } from '../../scripts/programs.ts'
import { startCoturn } from '../support/servers/coturn.ts'
import { compareCalls } from './call-pairs.ts'

/** Match event to both first remote frames: through the relay alone against directly, in milliseconds. Null without coturn. */
export async function benchRelayCall(): Promise<{ relayed: number; direct: number; ratio: number } | null> {
  if (pathOf('coturn') === '') return null
  const coturn = await startCoturn(LOOPBACK_PEERS)
  try {
    const relays = [{ urls: coturn.env.TURN_URL.split(','), ...coturn.login(600) }]
    const { first, second, ratio } = await compareCalls(`measureOurs(${JSON.stringify(relays)})`, 'measureOurs()')
    return { relayed: first, direct: second, ratio }
  } finally {
    await coturn.stop()
  }
}
