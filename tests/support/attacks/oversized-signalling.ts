import type { RawClient } from '../hub/hub-client.ts'
import { enterHub, type HubAccess, meet } from './hub-access.ts'

export type Outcome = {
  /** Invocations of the attacker that were taken, and the codes of those that were refused. */
  taken: number
  refused: Record<string, number>
  /** Whether the connection of the victim still answers afterwards. */
  victim: 'connected' | 'cut'
}

/** What the attacker sends to the peer of the match: a method and the last arguments of it. */
type Kind = 'candidates' | 'descriptions' | 'chat'

function invocationOf(kind: Kind, size: number): [string, string] {
  if (kind === 'chat') return ['SendChatMessageToPeer', 'x'.repeat(size)]
  if (kind === 'candidates')
    return ['HandleIceCandidate', JSON.stringify({ candidate: `candidate:${'x'.repeat(size)}` })]
  return ['HandleOffer', JSON.stringify({ type: 'offer', sdp: `m=audio 9\nm=video 9\n${'a'.repeat(size)}` })]
}

/** The hub sends more as what it has sent is acknowledged. */
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
 * Sends `count` messages of `size` characters at once to a peer who acknowledges nothing meanwhile, as a browser does that is busy or on
 * a slow network.
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
    const answers: string[] = []
    const refused: Record<string, number> = {}
    const answered = Array.from({ length: count }, async () => {
      const error = await sender.invokeAny(method, session, peer, data)
      answers.push(error?.split(':')[0] ?? '')
    })
    const all = Promise.all(answered)
    // Chat that is on its way is answered when it has arrived, or after ten seconds: after this, refusals have come.
    if (kind === 'chat') await Promise.race([all, sender.settled()])
    else await all
    all.catch(() => undefined)
    for (const code of answers) if (code !== '') refused[code] = (refused[code] ?? 0) + 1
    const alive = await isAlive(receiver)
    const refusals = Object.values(refused).reduce((sum, times) => sum + times, 0)
    return { taken: count - refusals, refused, victim: alive ? 'connected' : 'cut' }
  } finally {
    await Promise.all([sender.leave(), receiver.leave()])
  }
}
