import * as v from 'valibot'
import { RawClient } from '../hub/hub-client.ts'
import { tokenOf } from '../hub/hub-fakes.ts'
import { negotiateResponseSchema } from '../hub/negotiate-response.ts'

/** The URL of a hub, such as http://127.0.0.1:3000/chathub, and the hub token of one account. */
export type HubAccess = { url: string; token: string }

/** For a hub of the tests, whose tokens contain the account. */
export function accessOf(url: string, account: string): HubAccess {
  return { url, token: tokenOf(account) }
}

/** Resolves with a connection after its handshake, in protocol version 2. */
export async function enterHub({ url, token }: HubAccess): Promise<RawClient> {
  const query = 'negotiateVersion=1&useStatefulReconnect=true'
  const response = await fetch(`${url}/negotiate?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const { connectionToken } = v.parse(negotiateResponseSchema, await response.json())
  const client = await RawClient.dial(`${url}?id=${connectionToken}&access_token=${token}`, '')
  client.send({ protocol: 'json', version: 2 })
  client.send({ type: 6 })
  client.id = v.parse(v.string(), (await client.event('OnUserConnected'))[0])
  return client
}

export type Encounter = { session: string; peer: string }

/** Matches two clients that are alone in the queue. Resolves with the match as `one` sees it, who is the Caller in hubs of the tests. */
export async function meet(one: RawClient, other: RawClient): Promise<Encounter> {
  await one.join()
  await other.join()
  const [match, theirs] = await Promise.all([one.matched(), other.matched()])
  if (match.session !== theirs.session) throw new Error('not matched with each other')
  return match
}
