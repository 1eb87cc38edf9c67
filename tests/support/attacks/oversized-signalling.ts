import type { RawClient } from '../hub/hub-client.ts'
import { enterHub, type HubAccess, meet } from './hub-access.ts'

export type Outcome = {
  /** Number of accepted invocations of the attacker, and number of refused ones by error code. */
  taken: number
  refused: Record<string, number>
  /** State of the connection of the victim afterwards. */
  victim: 'connected' | 'cut'
}

/** Kind of message that the attacker sends to the peer of the match. */
type Kind = 'candidates' | 'descriptions' | 'chat'

function invocationOf(kind: Kind, size: number): [string, string] {
  if (kind === 'chat') return ['SendChatMessageToPeer', 'x'.repeat(size)]
  if (kind === 'candidates')
    return [
      'HandleIceCandidate',
      JSON.stringify({ candidate: `candidate:1 1 udp 1 127.0.0.1 9 typ host ${'x'.repeat(size)}` }),
    ]
  return ['HandleOffer', JSON.stringify({ type: 'offer', sdp: `m=audio 9\nm=video 9\n${'a'.repeat(size)}` })]
}

/** Acknowledges messages, so that the hub sends the next ones. Resolves with whether the connection still works. */
async function isAlive(client: RawClient): Promise<boolean> {
  const acknowledge = () => client.send({ type: 8, sequenceId: client.tracked.length })
  try {
    client.socket.on('message', acknowledge)
    acknowledge()
    await client.settled()
    return true
  } catch {
    return false
  }
}

/**
 * Sends `count` messages of `size` characters at once to a peer that acknowledges none of them, like a busy browser or one on a slow
 * network.
 */
export async function overfillPeer(
  attacker: HubAccess,
  victim: HubAccess,
  kind: Kind,
  count: number,
  size: number,
): Promise<Outcome> {
  const [sender, receiver] = [await enterHub(attacker), await enterHub(victim)]
  try {
    const { session, peer } = await meet(sender, receiver)
    const [method, data] = invocationOf(kind, size)
    const codes: string[] = []
    const refused: Record<string, number> = {}
    const invocations = Array.from({ length: count }, async () => {
      const error = await sender.invokeAny(method, session, peer, data)
      codes.push(error?.split(':')[0] ?? '')
    })
    const all = Promise.all(invocations)
    // A chat message completes on delivery or after ten seconds; refusals complete before `settled` resolves.
    if (kind === 'chat') await Promise.race([all, sender.settled()])
    else await all
    all.catch(() => undefined)
    for (const code of codes) if (code !== '') refused[code] = (refused[code] ?? 0) + 1
    const alive = await isAlive(receiver)
    const refusals = Object.values(refused).reduce((sum, times) => sum + times, 0)
    return { taken: count - refusals, refused, victim: alive ? 'connected' : 'cut' }
  } finally {
    await Promise.all([sender.leave(), receiver.leave()])
  }
}
