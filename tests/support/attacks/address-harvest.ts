import type { RawClient } from '../hub/hub-client.ts'
import { enterHub, type HubAccess } from './hub-access.ts'

const HIDDEN = /^c=IN IP4 0\.0\.0\.0/m
const addressOf = (index: number) => `198.51.100.${index}`

export type Harvest = {
  /** Number of people that the attacker was matched with. */
  met: number
  /** Number of people whose network address reached the attacker. */
  addresses: number
}

/**
 * One account meets people, one after the other, and leaves each as soon as it has what it gets of their network
 * addresses: candidates and descriptions. Nobody else may be in the queue. Ends when everybody was met, or at `stop`.
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
        if (await learnsAddress(eve, person, match, addressOf(index))) harvest.addresses += 1
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

async function learnsAddress(
  eve: RawClient,
  person: RawClient,
  { session, role }: { session: string; role: 'Caller' | 'Callee' },
  address: string,
): Promise<boolean> {
  const line = `candidate:1 1 udp 1 ${address} 9 typ host`
  const media = `c=IN IP4 ${address}\r\na=${line}\r\n`
  const sdp = `v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n${media}m=video 9 UDP/TLS/RTP/SAVPF 96\r\n${media}`
  const described = role === 'Callee' ? 'offer' : 'answer'
  const method = role === 'Callee' ? 'HandleOffer' : 'HandleAnswer'
  const data = JSON.stringify({ type: described, sdp })
  await person.invoke(method, session, eve.id, data)
  await person.invoke('HandleIceCandidate', session, eve.id, JSON.stringify({ candidate: line }))
  // What the hub had for the attacker by now has come.
  await eve.settled()
  const told = [...eve.events('OnOfferReceived'), ...eve.events('OnAnswerReceived'), ...eve.events('OnIceCandidate')]
  const texts = told.filter(([of]) => of === session).map(([, text]) => String(text))
  return texts.some(
    (text) => text.includes(address) || (text.includes('c=IN') && !HIDDEN.test(text.replaceAll('\\r\\n', '\n'))),
  )
}
