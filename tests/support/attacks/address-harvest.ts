import type { RawClient } from '../hub/hub-client.ts'
import { enterHub, type HubAccess } from './hub-access.ts'

const HIDDEN = /^c=IN IP4 0\.0\.0\.0/m
const addressOf = (index: number) => `198.51.100.${index}`

export type Harvest = {
  /** Number of users that the attacker was matched with. */
  met: number
  /** Number of users whose network address reached the attacker. */
  addresses: number
}

/**
 * One account is matched with each user in turn and leaves as soon as it has received the description and candidates, which
 * hold network addresses. No other user may be in the queue. Resolves when all were met, or after `stop`.
 */
export async function harvestAddresses(
  attacker: HubAccess,
  people: HubAccess[],
  { stop, began }: { stop?: AbortSignal; began?: (client: RawClient) => void } = {},
): Promise<Harvest> {
  const stopped = new Promise<null>((resolve) => {
    if (stop?.aborted) resolve(null)
    stop?.addEventListener('abort', () => resolve(null))
  })
  const eve = await enterHub(attacker)
  began?.(eve)
  const harvest: Harvest = { met: 0, addresses: 0 }
  try {
    for (const [index, access] of people.entries()) {
      const person = await enterHub(access)
      try {
        await person.join()
        await eve.join()
        const match = await Promise.race([eve.matched(harvest.met + 1), stopped])
        if (!match) break
        harvest.met += 1
        if (await receivesAddress(eve, person, match, addressOf(index))) harvest.addresses += 1
        await eve.invoke('OnMatchedSessionTerminationRequested', match.session, eve.id)
      } finally {
        await person.leave()
      }
    }
    return harvest
  } finally {
    await eve.leave()
  }
}

async function receivesAddress(
  eve: RawClient,
  person: RawClient,
  { session, role }: { session: string; role: 'Caller' | 'Callee' },
  address: string,
): Promise<boolean> {
  const candidate = `candidate:1 1 udp 1 ${address} 9 typ host`
  const media = `c=IN IP4 ${address}\r\na=${candidate}\r\n`
  const sdp = `v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n${media}m=video 9 UDP/TLS/RTP/SAVPF 96\r\n${media}`
  const described = role === 'Callee' ? 'offer' : 'answer'
  const method = role === 'Callee' ? 'HandleOffer' : 'HandleAnswer'
  const data = JSON.stringify({ type: described, sdp })
  await person.invoke(method, session, eve.id, data)
  await person.invoke('HandleIceCandidate', session, eve.id, JSON.stringify({ candidate }))
  // The hub has delivered everything that it sends to the attacker at once.
  await eve.settled()
  const received = [
    ...eve.events('OnOfferReceived'),
    ...eve.events('OnAnswerReceived'),
    ...eve.events('OnIceCandidate'),
  ]
  const texts = received.filter(([of]) => of === session).map(([, text]) => String(text))
  return texts.some(
    (text) => text.includes(address) || (text.includes('c=IN') && !HIDDEN.test(text.replaceAll('\\r\\n', '\n'))),
  )
}
