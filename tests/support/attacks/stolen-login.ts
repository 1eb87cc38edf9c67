import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { newVisitor, type SignedInVisitor, signIn, type Visitor } from '../servers/server.ts'

/** A thief's browser: the same cookies in a jar of its own. */
export function copyOf(origin: string, victim: Visitor): Visitor {
  const thief = newVisitor({ origin })
  for (const [name, value] of victim.cookies) thief.cookies.set(name, value)
  return thief
}

/** What the stolen cookies still open: each entry is a request that the server answered as it answers the owner. */
export async function opensWith(origin: string, stolen: Visitor, sessionId: string): Promise<string[]> {
  const open: string[] = []
  const thief = copyOf(origin, stolen)
  thief.cookies.delete('refresh')
  if ((await thief.send('validateAccessToken', undefined)).status === 200) open.push('access token')
  if ((await thief.send('readHubToken', { userSessionId: sessionId })).status === 200) open.push('hub token')
  if ((await thief.send('exportData', undefined)).status === 200) open.push('export')
  const refreshing = copyOf(origin, stolen)
  if ((await refreshing.send('refreshAccessToken', undefined)).status === 200) open.push('refresh token')
  return open
}

/** A call whose login the server has checked but whose body it still waits for; `finish` sends the rest and returns the status. */
async function halfSent(origin: string, thief: Visitor, path: string, body: string) {
  const sending = request(new URL(`${API_BASE}/${path}`, origin), {
    method: 'POST',
    agent: false,
    headers: {
      origin,
      [REQUESTED_WITH.name]: REQUESTED_WITH.value,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      cookie: [...thief.cookies].map((pair) => pair.join('=')).join('; '),
    },
  })
  const answered = once(sending, 'response')
  sending.write(body.slice(0, 1))
  await once(sending, 'socket')
  return {
    async finish(): Promise<number> {
      sending.end(body.slice(1))
      const [response] = (await answered) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return response.statusCode ?? 0
    },
  }
}

/**
 * A thief who has the person's cookies begins `together` endpoints of `user/session/add`, waits for the logout with all but one byte of
 * their bodies, and sends the rest. Returns in how many of the rounds the stolen login outlived the logout.
 */
export async function raceLogout(origin: string, rounds: number, together = 4): Promise<number> {
  let outlived = 0
  for (let round = 0; round < rounds; round += 1) {
    const victim = await signIn({ origin }, { email: `victim${round}@example.org` })
    const stolen = copyOf(origin, victim)
    const body = JSON.stringify({ UserSessionId: victim.sessionId, EmailAddress: victim.email })
    const begun = await Promise.all(
      Array.from({ length: together }, () => halfSent(origin, stolen, endpoints.addSession.path, body)),
    )
    // Whatever the server does with this one, it has done with those before it.
    await stolen.send('validateAccessToken', undefined)
    const refreshing = copyOf(origin, stolen)
    const refresh = refreshing.send('refreshAccessToken', undefined)
    await victim.call('logout', undefined)
    await Promise.all([refresh, ...begun.map(({ finish }) => finish())])
    const open = await Promise.all([stolen, refreshing].map((held) => opensWith(origin, held, victim.sessionId)))
    if (open.flat().length > 0) outlived += 1
  }
  return outlived
}

/**
 * The thief refreshes first, the owner's own refresh comes after the grace: `forwardGrace` puts the clock of the server forward, or
 * waits. Returns what the thief's access token still opens.
 */
export async function reuseAfterTheft(
  origin: string,
  forwardGrace: () => void | Promise<void>,
): Promise<{ open: string[]; victim: SignedInVisitor; thief: Visitor }> {
  const victim = await signIn({ origin }, { email: 'robbed@example.org' })
  const thief = copyOf(origin, victim)
  await thief.call('refreshAccessToken', undefined)
  await forwardGrace()
  const refused = await victim.send('refreshAccessToken', undefined)
  if (refused.status !== 401) throw new Error(`The reuse was answered with ${refused.status}`)
  return { open: await opensWith(origin, thief, victim.sessionId), victim, thief }
}
